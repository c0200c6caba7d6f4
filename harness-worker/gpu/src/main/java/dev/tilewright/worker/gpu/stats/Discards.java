package dev.tilewright.worker.gpu.stats;

/**
 * How many blocks may be discarded. If more than one block and more than a fifth are, the rest is noise. A block is
 * discarded for all its arms, and for a reason that does not depend on its times.
 */
public final class Discards {

    private static final int SHARE = 5;

    private Discards() {}

    /**
     * Whether too many blocks were discarded.
     *
     * @param planned blocks that are to be kept
     */
    public static boolean tooMany(int discarded, int planned) {
        return discarded > Math.max(1, planned / (SHARE - 1));
    }
}
