package dev.tilewright.simulator;

/** The clusters of a grid that have not been launched yet, handed out in the order of their numbers. */
final class PendingClusters {

    private final int count;
    private int next;

    /** @param count clusters of the grid */
    PendingClusters(int count) {
        this.count = count;
    }

    /** Clusters of the grid, pending or not. */
    int count() {
        return count;
    }

    boolean isEmpty() {
        return next == count;
    }

    /**
     * The number of the next cluster, which is then pending no longer.
     *
     * @throws IllegalStateException if none is pending
     */
    int take() {
        if (isEmpty()) {
            throw new IllegalStateException("all " + count + " clusters of the grid have been launched or taken over");
        }
        return next++;
    }
}
