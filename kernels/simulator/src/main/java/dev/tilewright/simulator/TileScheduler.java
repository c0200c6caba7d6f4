package dev.tilewright.simulator;

import dev.tilewright.space.family.Scheduler;
import dev.tilewright.space.share.StreamShares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Hands cluster tiles to running clusters. One object serves one launch. */
sealed interface TileScheduler {

    /** There is no further tile. */
    int NONE = -1;

    /** The first tile of a cluster, by the number of the cluster in its grid. */
    int first(int cluster);

    /** The tile that follows, or {@link #NONE}. */
    int next(int tile);

    /** One cluster for each tile. */
    record Single() implements TileScheduler {
        @Override
        public int first(int cluster) {
            return cluster;
        }

        @Override
        public int next(int tile) {
            return NONE;
        }
    }

    /** Persistent clusters, each with every {@code clusters}-th tile. */
    record Static(int clusters, int tiles) implements TileScheduler {
        @Override
        public int first(int cluster) {
            return cluster;
        }

        @Override
        public int next(int tile) {
            return tile + clusters < tiles ? tile + clusters : NONE;
        }
    }

    /**
     * Persistent clusters that share tiles: each has its pieces, and then whole tiles.
     *
     * @param first number of each cluster
     * @param following behind each number the next one of its cluster
     */
    record Stream(int[] first, int[] following) implements TileScheduler {

        /**
         * @param clusters at work beside each other; where several share their SMs, the first of them stands for all
         */
        static Stream of(StreamShares shares, int clusters) {
            int[] first = new int[clusters];
            int[] following = new int[shares.numbers()];
            Arrays.fill(following, NONE);
            for (int cluster = 0; cluster < clusters; cluster++) {
                List<Integer> numbers = numbers(shares, cluster, clusters);
                first[cluster] = numbers.getFirst();
                for (int i = 1; i < numbers.size(); i++) {
                    following[numbers.get(i - 1)] = numbers.get(i);
                }
            }
            return new Stream(first, following);
        }

        private static List<Integer> numbers(StreamShares shares, int cluster, int clusters) {
            List<Integer> numbers = new ArrayList<>();
            for (int own = cluster; own < shares.clusters(); own += clusters) {
                for (int piece = 0; piece < shares.pieces(own); piece++) {
                    numbers.add(shares.piece(own, piece).number());
                }
            }
            for (int whole = shares.firstWhole() + cluster; whole < shares.numbers(); whole += clusters) {
                numbers.add(whole);
            }
            return numbers;
        }

        @Override
        public int first(int cluster) {
            return first[cluster];
        }

        @Override
        public int next(int tile) {
            return following[tile];
        }
    }

    /** Persistent clusters; the first tile by number, the others from a global counter. */
    final class Atomic implements TileScheduler {
        private final int tiles;
        private int counter;

        Atomic(int clusters, int tiles) {
            this.tiles = tiles;
            this.counter = clusters;
        }

        @Override
        public int first(int cluster) {
            return cluster;
        }

        @Override
        public int next(int tile) {
            return counter < tiles ? counter++ : NONE;
        }
    }

    /** One cluster for each tile, and running ones take the tiles of those that have not been launched yet. */
    record Clc(PendingClusters pending) implements TileScheduler {
        @Override
        public int first(int cluster) {
            return cluster;
        }

        @Override
        public int next(int tile) {
            return pending.isEmpty() ? NONE : pending.take();
        }
    }

    /** A scheduler for one launch. */
    static TileScheduler start(Scheduler scheduler, PendingClusters pending, int tiles) {
        return switch (scheduler) {
            case SINGLE -> new Single();
            case STATIC -> new Static(pending.count(), tiles);
            case ATOMIC -> new Atomic(pending.count(), tiles);
            case CLC -> new Clc(pending);
        };
    }
}
