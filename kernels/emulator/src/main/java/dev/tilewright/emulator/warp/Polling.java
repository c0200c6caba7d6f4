package dev.tilewright.emulator.warp;

/**
 * Whether a warp only looks if others have done something: who spins on a word of memory. Such a warp makes room until
 * somebody has, so that no choice of order lets it run for ever while those for whom it waits do not.
 */
public final class Polling {
    /** Instructions without any effect on others before a warp counts as polling. */
    private static final int FIRST = 512;
    /** The same for one that has polled, and whose look brought nothing. */
    private static final int AGAIN = 64;

    private static final int NOWHERE = -1;

    private long seen = NOWHERE;
    private long quiet;
    private int patience = FIRST;
    private int lookedAt = NOWHERE;

    /**
     * The warp has run for a while.
     *
     * @param steps instructions
     * @param before what all have changed until then
     * @param after what all have changed by now
     */
    public void ran(long steps, long before, long after) {
        if (before != after) {
            quiet = 0;
            patience = FIRST;
        } else if (before != seen) {
            patience = quiet > patience ? AGAIN : patience;
            quiet = steps;
        } else {
            quiet += steps;
        }
        seen = after;
    }

    /** The instruction at {@code pc} reads state that other threads may change. */
    public void looks(int pc) {
        lookedAt = pc;
    }

    /** The index of the last instruction that polled, or -1. */
    public int lookedAt() {
        return lookedAt;
    }

    /** Whether it has looked in vain for long, and nothing has changed since. */
    public boolean inVain(long changes) {
        return quiet > patience && changes == seen;
    }
}
