package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.gemm.TraceEvidence;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.GpuEvent;
import dev.tilewright.worker.gpu.cuda.HostBuffer;
import dev.tilewright.worker.gpu.measure.Run;
import dev.tilewright.worker.gpu.measure.Screen;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what a traced twin wrote of its tiles. */
record Tracer(Workbench bench, Problem problem, Config config) {

    /** The assignment of tiles differs from run to run where clusters ask for them. */
    private static final int DYNAMIC_RUNS = 3;

    /** Whether the clusters of a kernel ask for their tiles. */
    static boolean asks(Config config) {
        return Scheduler.KEY.of(config).dynamic();
    }

    /** The trace shows that a tile was not computed exactly once. */
    static final class DamagedTraceException extends Exception {
        private static final long serialVersionUID = 1;

        DamagedTraceException(IllegalStateException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /**
     * Runs the twin in the scenario of the problem, three times for a dynamic scheduler; of these the run with the
     * median idle tail is the evidence.
     *
     * @param kernelNs duration of a launch of the kernel itself; {@code null} if it was not timed
     */
    SchedulerEvidence trace(LoadedKernel twin, @Nullable Double kernelNs) throws DamagedTraceException {
        try (SmHolders.Hold hold = bench.holders().hold(problem.scenario())) {
            SchedulerEvidence evidence = trace(twin, hold.sms(), kernelNs);
            hold.confirm();
            return evidence;
        }
    }

    private SchedulerEvidence trace(LoadedKernel twin, List<Integer> heldSms, @Nullable Double kernelNs)
            throws DamagedTraceException {
        Double slowdown = kernelNs == null ? null : sustainedNs(twin) / kernelNs;
        boolean asks = asks(config);
        int runs = asks ? DYNAMIC_RUNS : 1;
        List<SchedulerEvidence> seen = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            seen.add(TraceEvidence.of(records(twin), bench.gpu().info().smCount(), heldSms, asks, slowdown));
        }
        return median(seen);
    }

    /** The twin was just verified, on a GPU that is warm: it needs no warm-up. */
    private double sustainedNs(LoadedKernel twin) {
        int launches = bench.plan().firstLaunches();
        double[] runs = new double[bench.plan().screenRuns()];
        for (int i = 0; i < runs.length; i++) {
            Run run = bench.stopwatch().sustained(twin, launches);
            runs[i] = run.launchNs();
        }
        return Quantiles.median(runs);
    }

    private List<TileRecord> records(LoadedKernel twin) throws DamagedTraceException {
        TraceLayout layout = layout();
        DeviceBuffer trace = buffer(twin, layout);
        bench.meter().busy(() -> launch(twin, trace));
        byte[] bytes = new byte[Math.toIntExact(layout.bytes())];
        bench.gpu().read(trace.address(), bytes);
        return decoded(layout, bytes);
    }

    private TraceLayout layout() {
        return TraceLayout.of(problem, config);
    }

    private static DeviceBuffer buffer(LoadedKernel twin, TraceLayout layout) {
        DeviceBuffer trace = twin.buffer(BufferRole.TRACE.toString())
                .orElseThrow(() -> new IllegalArgumentException("the traced twin asks for no trace buffer"));
        if (trace.bytes() < layout.bytes()) {
            throw new IllegalArgumentException(
                    "a trace of " + layout.bytes() + " bytes in a buffer of " + trace.bytes());
        }
        return trace;
    }

    private void launch(LoadedKernel twin, DeviceBuffer trace) {
        bench.gpu().fill(trace.address(), 0, trace.bytes());
        twin.enqueue(0);
    }

    private static List<TileRecord> decoded(TraceLayout layout, byte[] bytes) throws DamagedTraceException {
        try {
            return layout.decode(ByteBuffer.wrap(bytes));
        } catch (IllegalStateException damaged) {
            throw new DamagedTraceException(damaged);
        }
    }

    /** Puts all that {@link #trace} runs into the stream, where nobody holds SMs, and returns at once. */
    Queued queue(LoadedKernel twin) {
        return new Queued(twin);
    }

    /** Traced runs under way; those that tell the slowdown come last, so that the GPU works while traces are copied. */
    final class Queued {
        private final TraceLayout layout;
        private final int runs = asks(config) ? DYNAMIC_RUNS : 1;
        private final HostBuffer copies;
        private final GpuEvent copied = bench.supplies().filled();
        private final List<Screen.Launches> timed;

        private Queued(LoadedKernel twin) {
            layout = layout();
            copies = bench.supplies().host(runs * layout.bytes());
            DeviceBuffer trace = buffer(twin, layout);
            for (int run = 0; run < runs; run++) {
                long offset = run * layout.bytes();
                bench.meter().busy(() -> {
                    launch(twin, trace);
                    bench.gpu().fetch(trace.address(), copies, offset, layout.bytes());
                });
            }
            copied.record();
            timed = screen().queueLaunches(twin);
        }

        /** Waits for them. */
        Traces take() {
            copied.await();
            List<byte[]> taken = new ArrayList<>();
            for (int run = 0; run < runs; run++) {
                byte[] bytes = new byte[Math.toIntExact(layout.bytes())];
                copies.read(run * layout.bytes(), bytes);
                taken.add(bytes);
            }
            double twinNs = Quantiles.median(
                    timed.stream().mapToDouble(Screen.Launches::launchNs).toArray());
            return new Traces(layout, taken, bench.gpu().info().smCount(), asks(config), twinNs);
        }
    }

    /**
     * Traces as they were written.
     *
     * @param runs the bytes of each traced run
     * @param asks whether clusters ask for their tiles
     * @param twinNs duration of a launch of the twin
     */
    record Traces(TraceLayout layout, List<byte[]> runs, int smCount, boolean asks, double twinNs) {

        /** @param kernelNs duration of a launch of the kernel itself; {@code null} if it was not timed */
        SchedulerEvidence evidence(@Nullable Double kernelNs) throws DamagedTraceException {
            List<SchedulerEvidence> seen = new ArrayList<>();
            for (byte[] bytes : runs) {
                seen.add(TraceEvidence.of(decoded(layout, bytes), smCount, List.of(), asks, null));
            }
            SchedulerEvidence median = median(seen);
            return kernelNs == null ? median : median.slowed(twinNs / kernelNs);
        }
    }

    private Screen screen() {
        return new Screen(bench.stopwatch(), bench.plan());
    }

    private static SchedulerEvidence median(List<SchedulerEvidence> seen) {
        seen.sort(Comparator.comparingDouble(SchedulerEvidence::idleTailFraction));
        return seen.get(seen.size() / 2);
    }
}
