package dev.tilewright.space.ranking;

/**
 * The least part of the trials of a study that each tile scheduler of its space has, so that its best config may be
 * compared with that of another: one of eight, and no more than six.
 */
public final class FairShare {

    private static final int ONE_OF = 8;

    /** The largest share: with so many trials a scheduler needs no more. */
    public static final int ENOUGH = 6;

    private FairShare() {}

    /** How many of so many trials each scheduler has at the least. */
    public static int of(int trials) {
        return Math.min(ENOUGH, Math.ceilDiv(trials, ONE_OF));
    }
}
