package dev.tilewright.api.web.study;

import dev.tilewright.api.web.Figures;

/**
 * What the model of a GPU counts of one launch. Nobody measured it.
 *
 * @param l2Bytes read from L2
 * @param dramBytes read from DRAM and written to it
 */
record Traffic(double l2Bytes, double dramBytes) {

    /** A smaller part of the other one's bytes says nothing: the model knows them no better. */
    private static final double WORTH_A_WORD = 0.02;

    /** Whether it has less of one kind, and not more of the other. */
    boolean isLessThan(Traffic other) {
        boolean less = less(l2Bytes, other.l2Bytes) || less(dramBytes, other.dramBytes);
        return less && !less(other.l2Bytes, l2Bytes) && !less(other.dramBytes, dramBytes);
    }

    /** Whether there is no difference that is worth a word. */
    boolean isAsMuchAs(Traffic other) {
        return !less(l2Bytes, other.l2Bytes)
                && !less(other.l2Bytes, l2Bytes)
                && !less(dramBytes, other.dramBytes)
                && !less(other.dramBytes, dramBytes);
    }

    private static boolean less(double own, double other) {
        return own < other * (1 - WORTH_A_WORD);
    }

    /** Both kinds, with what is done with them. */
    String inFull() {
        return bytes(l2Bytes) + " read from L2 and " + bytes(dramBytes) + " moved in DRAM";
    }

    /** Both kinds, in the same order. */
    @Override
    public String toString() {
        return bytes(l2Bytes) + " and " + bytes(dramBytes);
    }

    private static String bytes(double bytes) {
        return bytes < 1e9 ? Figures.format("%.1f MB", bytes / 1e6) : Figures.format("%.2f GB", bytes / 1e9);
    }
}
