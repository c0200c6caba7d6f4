package dev.tilewright.simulator;

import dev.tilewright.space.parameter.Scheduler;

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

    /** Nanoseconds from asking for a tile to its number; 0 if nobody is asked. */
    static double latencyNs(Scheduler scheduler, GpuConstants.Overheads overheads) {
        return switch (scheduler) {
            case SINGLE, STATIC -> 0;
            case ATOMIC -> overheads.drawLatencyNs();
            case CLC -> overheads.queryLatencyNs();
        };
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
