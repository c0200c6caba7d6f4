package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import dev.tilewright.worker.gpu.measure.Neighbours;
import dev.tilewright.worker.gpu.measure.Stopwatch;
import dev.tilewright.worker.gpu.measure.TimingPlan;
import dev.tilewright.worker.gpu.peer.Peers;
import dev.tilewright.worker.gpu.verify.KernelOracle;
import dev.tilewright.worker.gpu.verify.Oracle;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.TestDataStore;
import dev.tilewright.worker.gpu.verify.Verifier;
import java.util.function.LongSupplier;

/** All that a runner keeps from request to request. */
record Workbench(
        Gpu gpu,
        BusyMeter meter,
        TestDataStore store,
        Verifier verifier,
        Stopwatch stopwatch,
        SmHolders holders,
        TimingPlan plan,
        AnchorSlot anchors,
        Supplies supplies,
        Ahead ahead,
        Peers peers,
        LibrarySlot library) {

    /**
     * Memory that test data leave free: traces, workspaces, outputs of the anchor, the vendor's libraries and their
     * contexts.
     */
    private static final long RESERVED_BYTES = 2L << 30;

    /** Loads the oracle, the plug and the holders of SMs. */
    static Workbench open(Gpu gpu, GpuState state, TimingPlan plan, Peers peers) {
        return open(gpu, state, plan, peers, System::nanoTime);
    }

    /** The same with a clock of the host, in nanoseconds. */
    static Workbench open(Gpu gpu, GpuState state, TimingPlan plan, Peers peers, LongSupplier nanoTime) {
        BusyMeter meter = new BusyMeter(gpu, nanoTime);
        Oracle oracle = new KernelOracle(gpu, meter);
        SmHolders holders = new SmHolders(gpu);
        Verifier verifier = new Verifier(gpu, oracle);
        long reserved = Math.min(RESERVED_BYTES, gpu.totalBytes() / 8);
        TestDataStore store = new TestDataStore(gpu, oracle, reserved);
        Supplies supplies = new Supplies(gpu);
        return new Workbench(
                gpu,
                meter,
                store,
                verifier,
                new Stopwatch(gpu, holders.renewing(new SpinPlug(gpu)), state, meter, new SmCycles(gpu)),
                holders,
                plan,
                new AnchorSlot(gpu, meter, verifier),
                supplies,
                new Ahead(gpu, store, supplies),
                peers,
                new LibrarySlot(peers));
    }

    /** Other processes on the GPU. */
    Neighbours neighbours() {
        return stopwatch.neighbours();
    }

    /** The data of a problem; what is kept of other problems leaves. */
    TestData data(Problem problem, long seed) {
        anchors.leaveAllBut(problem);
        library.leaveAllBut(problem);
        return store.get(problem, seed);
    }

    /** A phase begins, of the request and of the account of the GPU's time. */
    void enter(Phases phases, String phase) {
        meter.enter(phase);
        phases.enter(phase);
    }
}
