package dev.tilewright.emulator.memory;

/**
 * When each thread of a cluster fenced last, on a clock that ticks with every fence, so that a write can tell whether a
 * thread has fenced since.
 */
public final class FenceClock {
    private final int[] proxy;
    private final int[] init;
    private final int[] met;
    private int now;

    public FenceClock(int threads) {
        proxy = new int[threads];
        init = new int[threads];
        met = new int[threads];
    }

    /** fence.proxy.async for shared memory; it covers inits of barriers too. */
    public void fenceProxy(int thread) {
        proxy[thread] = ++now;
        init[thread]++;
    }

    /** A barrier of the CTA or warp, which orders what its threads did before for those that met there. */
    public void meet(int thread) {
        met[thread]++;
    }

    /** fence.mbarrier_init, or a fence or barrier that does more. */
    public void fenceInit(int thread) {
        init[thread]++;
    }

    /** The time of a write that happens now. */
    int now() {
        return now;
    }

    /** Whether the thread has executed fence.proxy.async since that time. */
    boolean proxyFencedSince(int thread, int time) {
        return proxy[thread] > time;
    }

    public int initFences(int thread) {
        return init[thread];
    }

    public int meetings(int thread) {
        return met[thread];
    }
}
