package dev.tilewright.emulator.memory;

/** How often each thread of a cluster has fenced, so that a write can tell whether its writer fenced since. */
public final class FenceClock {
    private final int[] proxy;
    private final int[] init;

    public FenceClock(int threads) {
        proxy = new int[threads];
        init = new int[threads];
    }

    /** fence.proxy.async for shared memory; it covers inits of barriers too. */
    public void fenceProxy(int thread) {
        proxy[thread]++;
        init[thread]++;
    }

    /** fence.mbarrier_init. */
    public void fenceInit(int thread) {
        init[thread]++;
    }

    public int proxyFences(int thread) {
        return proxy[thread];
    }

    public int initFences(int thread) {
        return init[thread];
    }
}
