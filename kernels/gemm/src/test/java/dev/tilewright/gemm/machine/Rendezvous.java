package dev.tilewright.gemm.machine;

/** A barrier that opens when a number of arrivals has come, and closes again: named barriers, warps and clusters. */
final class Rendezvous {
    private int arrived;
    private int opened;

    /** Arrives and returns the ticket to wait with. */
    int arrive(int weight, int expected) {
        int ticket = opened;
        arrived += weight;
        if (arrived > expected) {
            throw new IllegalStateException(arrived + " arrivals at a barrier of " + expected);
        }
        if (arrived == expected) {
            arrived = 0;
            opened++;
        }
        return ticket;
    }

    boolean passed(int ticket) {
        return opened != ticket;
    }
}
