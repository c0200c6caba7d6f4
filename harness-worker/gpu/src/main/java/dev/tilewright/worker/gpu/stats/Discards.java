package dev.tilewright.worker.gpu.stats;

/**
 * How many blocks may be thrown away: more than a fifth of all, and more than one, and what is left is noise. A block
 * is thrown away for all its arms, for a reason that nobody needed its times to see.
 */
public final class Discards {

    private static final int SHARE = 5;

    private Discards() {}

    /**
     * Whether so many are too many.
     *
     * @param planned blocks that are to be kept
     */
    public static boolean tooMany(int discarded, int planned) {
        return discarded > Math.max(1, planned / (SHARE - 1));
    }
}
