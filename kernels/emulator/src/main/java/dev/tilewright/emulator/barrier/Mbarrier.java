package dev.tilewright.emulator.barrier;

import dev.tilewright.emulator.hazard.BarrierState;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.memory.FenceClock;
import dev.tilewright.ptx.instruction.Mbarrier.Wait;
import java.util.ArrayList;
import java.util.List;

/**
 * An mbarrier: a phase ends when no arrival is pending and as many bytes came as were announced; then the count is
 * loaded again. PTX 9.7.13.15.
 */
public final class Mbarrier {
    /** Most arrivals of a phase, and most bytes announced or come in excess. */
    private static final int LIMIT = dev.tilewright.ptx.instruction.Mbarrier.MAX_COUNT;

    private final String name;
    private final int cta;
    private final int expected;
    private final int initThread;
    private final int initFences;
    private final FenceClock fences;
    private final List<Runnable> waiters = new ArrayList<>();
    /** Who arrived in this phase, and in the one before: evidence of who is missing. */
    private List<Object> arrived = new ArrayList<>();

    private List<Object> arrivedBefore = List.of();
    private int pending;
    private long tx;
    private int phase;
    private int observed = -1;
    private boolean live = true;
    private boolean ring;

    /**
     * A barrier in phase 0.
     *
     * @param count arrivals of a phase
     * @param thread of the cluster that made it
     */
    public Mbarrier(String name, int cta, int count, int thread, FenceClock fences) {
        if (count < 1 || count > LIMIT) {
            throw new HazardFound(
                    new Hazard.BarrierMisuse(name, "init with a count of " + count + ", not 1.." + LIMIT));
        }
        this.name = name;
        this.cta = cta;
        this.expected = count;
        this.pending = count;
        this.initThread = thread;
        this.fences = fences;
        initFences = fences.initFences(thread);
    }

    /** Region and index as the entry declares them, or the address. */
    public String name() {
        return name;
    }

    /** Notes a wait that may be come back to. */
    public void waitedForInLoop() {
        ring = true;
    }

    /** Whether it was seen that it may wrap. */
    public boolean ring() {
        return ring;
    }

    public boolean live() {
        return live;
    }

    /** Phases completed so far, which is the number of the current one. */
    public int phase() {
        return phase;
    }

    /** The latest phase whose completion some thread has seen, or -1. */
    public int observed() {
        return observed;
    }

    public long tx() {
        return tx;
    }

    public BarrierState state() {
        List<String> missing = arrivedBefore.stream()
                .filter(who -> !arrived.contains(who))
                .map(Object::toString)
                .toList();
        return new BarrierState(name, cta, phase, expected, pending, tx, missing);
    }

    /** Requires that the thread that made it has fenced since. */
    public void requireVisible(String use) {
        if (fences.initFences(initThread) == initFences) {
            throw new HazardFound(new Hazard.InitNotVisible(state(), use));
        }
    }

    /**
     * Counts arrivals.
     *
     * @param who arrives; its text is the evidence
     */
    public void arrive(int count, Object who) {
        if (count < 1 || count > pending) {
            throw new HazardFound(new Hazard.BarrierMisuse(
                    state().toString(), "arrival of " + count + " with " + pending + " pending"));
        }
        pending -= count;
        arrived.add(who);
        completeIfDone();
    }

    /** Announces bytes. */
    public void expect(long bytes) {
        tx += bytes;
        requireTx();
        completeIfDone();
    }

    /** Counts bytes that came. */
    public void complete(long bytes) {
        tx -= bytes;
        requireTx();
        completeIfDone();
    }

    private void requireTx() {
        if (Math.abs(tx) > LIMIT) {
            throw new HazardFound(new Hazard.UnbalancedTx(state(), "leaves the range of +-" + LIMIT));
        }
    }

    private void completeIfDone() {
        if (pending == 0 && tx == 0) {
            phase++;
            pending = expected;
            arrivedBefore = arrived;
            arrived = new ArrayList<>();
            wake();
        }
    }

    /** What {@link Wait} answers for a parity; a true answer is an observation. */
    public boolean passed(int parity) {
        boolean passed = (phase & 1) != parity;
        if (passed) {
            observed = Math.max(observed, phase - 1);
        }
        return passed;
    }

    /** Told once, when the phase changes next. */
    public void whenChanged(Runnable waiter) {
        waiters.add(waiter);
    }

    public void invalidate() {
        live = false;
        wake();
    }

    private void wake() {
        List<Runnable> woken = List.copyOf(waiters);
        waiters.clear();
        woken.forEach(Runnable::run);
    }
}
