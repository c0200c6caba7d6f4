package dev.tilewright.emulator.memory;

/** How often each thread of a cluster has fenced its inits of barriers, so that these can tell whether it has since. */
public final class FenceClock {
    private final int[] init;

    public FenceClock(int threads) {
        init = new int[threads];
    }

    /** fence.mbarrier_init, or a fence that covers inits too. */
    public void fenceInit(int thread) {
        init[thread]++;
    }

    public int initFences(int thread) {
        return init[thread];
    }
}
