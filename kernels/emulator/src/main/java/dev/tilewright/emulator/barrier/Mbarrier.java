package dev.tilewright.emulator.barrier;

import dev.tilewright.emulator.hazard.BarrierState;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.CommitOrder;
import dev.tilewright.emulator.order.Evidence;
import dev.tilewright.emulator.order.FenceClock;
import dev.tilewright.emulator.order.PhaseOrder;
import dev.tilewright.ptx.instruction.Mbarrier.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An mbarrier: a phase ends when no arrival is pending and as many bytes came as were announced; then the count is
 * loaded again. PTX 9.7.13.15.
 */
public final class Mbarrier {
    /** Most arrivals of a phase, and most bytes announced or come in excess. */
    private static final int LIMIT = dev.tilewright.ptx.instruction.Mbarrier.MAX_COUNT;

    private final String name;
    private final int cta;
    private final int initThread;
    private final int initFences;
    private final int initMeetings;
    private final FenceClock fences;
    private final PhaseOrder order;
    private final List<Runnable> waiters = new ArrayList<>();
    /** The arrivals of this phase and of the phase before: evidence of missing arrivals. */
    private List<Object> arrived = new ArrayList<>();

    private List<Object> arrivedBefore = List.of();
    private int expected;
    private int pending;
    private long tx;
    private int phase;
    private int observed = -1;
    /** Bytes announced and come in this phase, and who did so last. */
    private long announced;

    private long come;
    private @Nullable Evidence announcedBy;
    private @Nullable Evidence cameBy;
    private boolean live = true;
    private boolean ring;

    /**
     * A barrier in phase 0.
     *
     * @param count arrivals of a phase
     * @param thread of the cluster that made it
     * @param order what flows through it
     */
    public Mbarrier(String name, int cta, int count, int thread, FenceClock fences, PhaseOrder order) {
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
        this.order = order;
        initFences = fences.initFences(thread);
        initMeetings = fences.meetings(thread);
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

    /** Linear id of the CTA in whose shared memory it lies. */
    public int cta() {
        return cta;
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

    /** The happens-before order that the barrier passes on. */
    public PhaseOrder order() {
        return order;
    }

    public BarrierState state() {
        List<String> missing = arrivedBefore.stream()
                .filter(who -> !arrived.contains(who))
                .map(Object::toString)
                .toList();
        List<String> here = arrived.stream().map(Object::toString).toList();
        return new BarrierState(name, cta, phase, expected, pending, tx, here, missing);
    }

    /**
     * Requires that the thread that made it has fenced since. For copies of the CTA itself a barrier does as well: what
     * an init needs is order, not a fence between proxies, and fence.mbarrier_init is none.
     *
     * @param fromCta of the thread that uses it
     */
    public void requireVisible(String use, int fromCta) {
        boolean met = fromCta == cta && fences.meetings(initThread) != initMeetings;
        if (!met && fences.initFences(initThread) == initFences) {
            order.initNotFenced(fromCta, new Hazard.InitNotVisible(state(), use));
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
        order.arrive();
        pending -= count;
        arrived.add(who);
        completeIfDone();
    }

    /**
     * Counts an arrival of copies that have landed.
     *
     * @param who began them; its text is the evidence
     * @param last of the copies
     * @param lane that began them
     */
    public void arriveCopies(Object who, Access last, int lane) {
        order.arriveCopies(last, lane);
        arrive(1, who);
    }

    /**
     * Counts the arrival of a tcgen05.commit whose work is done.
     *
     * @param who issued it; its text is the evidence
     */
    public void arriveTensor(Object who, CommitOrder commit) {
        order.arriveTensor(commit);
        arrive(1, who);
    }

    /**
     * Counts arrivals that no later phase awaits any more.
     *
     * @param who arrives; its text is the evidence
     */
    public void arriveAndDrop(int count, Object who) {
        if (count < 1 || count > expected) {
            throw new HazardFound(new Hazard.BarrierMisuse(
                    state().toString(), "drop of " + count + " of " + expected + " expected arrivals"));
        }
        expected -= count;
        arrive(count, who);
    }

    /** One more arrival is pending in this phase, and in no other. */
    public void increment() {
        if (pending == LIMIT) {
            throw new HazardFound(
                    new Hazard.BarrierMisuse(state().toString(), "more than " + LIMIT + " arrivals pending"));
        }
        pending++;
    }

    /** Arrivals still missing in this phase. */
    public int pending() {
        return pending;
    }

    /** Announces bytes; {@code by} is the evidence. */
    public void expect(long bytes, Evidence by) {
        tx += bytes;
        announced += bytes;
        announcedBy = by;
        requireTx();
        completeIfDone();
    }

    /** Counts bytes that came; {@code by} is the evidence. */
    public void complete(long bytes, Evidence by) {
        tx -= bytes;
        come += bytes;
        cameBy = by;
        requireTx();
        completeIfDone();
    }

    private void requireTx() {
        if (Math.abs(tx) > LIMIT) {
            throw unbalanced("leaves the range of +-" + LIMIT);
        }
    }

    /**
     * The hazard: the bytes that arrived differ from the bytes that were announced. Its site is the last instruction
     * that announced bytes, or if there is none the last copy that arrived.
     *
     * @param when the moment of the check; the message puts it behind the barrier
     */
    public HazardFound unbalanced(String when) {
        Evidence expecting = announcedBy;
        Evidence copying = cameBy;
        Evidence where = expecting == null ? copying : expecting;
        return new HazardFound(
                new Hazard.UnbalancedTx(
                        state(),
                        when,
                        announced,
                        come,
                        Optional.ofNullable(expecting).map(Evidence::site),
                        Optional.ofNullable(copying).map(Evidence::site)),
                where == null ? null : where.site());
    }

    private void completeIfDone() {
        if (pending == 0 && tx == 0) {
            order.complete(phase);
            phase++;
            pending = expected;
            arrivedBefore = arrived;
            arrived = new ArrayList<>();
            announced = 0;
            come = 0;
            wake();
        }
    }

    /** The answer of {@link Wait} for a parity; a true answer is an observation. */
    public boolean passed(int parity) {
        boolean passed = (phase & 1) != parity;
        if (passed) {
            observed = Math.max(observed, phase - 1);
            order.observe();
        }
        return passed;
    }

    /** Whether the phase of that number has ended; a true answer is an observation. */
    public boolean ended(int number) {
        boolean ended = phase > number;
        if (ended) {
            observed = Math.max(observed, phase - 1);
            order.observe();
        }
        return ended;
    }

    /** Registers a callback that runs once, at the next change of the phase. */
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
