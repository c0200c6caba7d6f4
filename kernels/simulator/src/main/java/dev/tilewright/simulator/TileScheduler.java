package dev.tilewright.simulator;

import dev.tilewright.space.share.StreamShares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

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
         * @param clusters at work beside each other; where several take turns on their SMs, the first of them stands
         *     for all
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

    /** The values of the parameter {@code scheduler} that the model has. */
    enum Kind {
        SINGLE("single", false, false),
        STATIC("static", true, false),
        ATOMIC("atomic", true, true),
        CLC("clc", false, true);

        private final String parameterValue;
        private final boolean residentGrid;
        private final boolean dynamic;

        Kind(String parameterValue, boolean residentGrid, boolean dynamic) {
            this.parameterValue = parameterValue;
            this.residentGrid = residentGrid;
            this.dynamic = dynamic;
        }

        /** Whether the grid is no larger than the GPU; otherwise it has a cluster for each tile. */
        boolean residentGrid() {
            return residentGrid;
        }

        /** Whether a cluster asks for its tiles while it runs. */
        boolean dynamic() {
            return dynamic;
        }

        /** A scheduler for one launch. */
        TileScheduler start(PendingClusters pending, int tiles) {
            return switch (this) {
                case SINGLE -> new Single();
                case STATIC -> new Static(pending.count(), tiles);
                case ATOMIC -> new Atomic(pending.count(), tiles);
                case CLC -> new Clc(pending);
            };
        }

        /** Whether GPUs of an architecture have it. */
        boolean on(GpuConstants.Architecture architecture) {
            return this != CLC || architecture == GpuConstants.Architecture.SM100;
        }

        /**
         * Reads the value of the parameter.
         *
         * @throws IllegalArgumentException naming the value and those that the architecture has
         */
        static Kind parse(String text, GpuConstants.Architecture architecture) {
            return Arrays.stream(values())
                    .filter(kind -> kind.on(architecture) && kind.parameterValue.equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the simulator has no scheduler '" + text
                            + "' for " + architecture.name().toLowerCase(Locale.ROOT) + "; known: "
                            + Arrays.stream(values())
                                    .filter(kind -> kind.on(architecture))
                                    .map(Kind::toString)
                                    .collect(Collectors.joining(", "))));
        }

        @Override
        public String toString() {
            return parameterValue;
        }
    }
}
