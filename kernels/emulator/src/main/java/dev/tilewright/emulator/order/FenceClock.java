package dev.tilewright.emulator.order;

/** How often each thread of a cluster has fenced its inits of barriers, so that these can tell whether it has since. */
public final class FenceClock {
    private final int[] init;
    private final int[] met;

    public FenceClock(int threads) {
        init = new int[threads];
        met = new int[threads];
    }

    /** A barrier of the CTA or warp, which orders what its threads did before for those that met there. */
    public void meet(int thread) {
        met[thread]++;
    }

    /** fence.mbarrier_init, or a fence or barrier that does more. */
    public void fenceInit(int thread) {
        init[thread]++;
    }

    public int initFences(int thread) {
        return init[thread];
    }

    public int meetings(int thread) {
        return met[thread];
    }
}
