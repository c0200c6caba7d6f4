package dev.tilewright.simulator;

import java.util.Arrays;
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

    /** The values of the parameter {@code scheduler} that the model has. */
    enum Kind {
        SINGLE("single", false),
        STATIC("static", true),
        ATOMIC("atomic", true);

        private final String parameterValue;
        private final boolean persistent;

        Kind(String parameterValue, boolean persistent) {
            this.parameterValue = parameterValue;
            this.persistent = persistent;
        }

        /** Whether a cluster may compute several tiles, so that the grid is no larger than the GPU. */
        boolean persistent() {
            return persistent;
        }

        /** A scheduler for one launch. */
        TileScheduler start(int clusters, int tiles) {
            return switch (this) {
                case SINGLE -> new Single();
                case STATIC -> new Static(clusters, tiles);
                case ATOMIC -> new Atomic(clusters, tiles);
            };
        }

        /**
         * Reads the value of the parameter.
         *
         * @throws IllegalArgumentException naming the value and the known ones
         */
        static Kind parse(String text) {
            return Arrays.stream(values())
                    .filter(kind -> kind.parameterValue.equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the simulator has no scheduler '" + text
                            + "'; known: "
                            + Arrays.stream(values()).map(Kind::toString).collect(Collectors.joining(", "))));
        }

        @Override
        public String toString() {
            return parameterValue;
        }
    }
}
