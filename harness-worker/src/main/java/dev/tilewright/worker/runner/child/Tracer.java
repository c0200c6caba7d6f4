package dev.tilewright.worker.runner.child;

import dev.tilewright.gemm.Evidence;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.worker.device.cuda.DeviceBuffer;
import dev.tilewright.worker.device.cuda.Gpu;
import dev.tilewright.worker.measure.Run;
import dev.tilewright.worker.stats.Quantiles;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what a traced twin wrote of its tiles. */
record Tracer(Workbench bench, Problem problem, Config config) {

    /** Schedulers whose assignment of tiles differs from run to run. */
    private static final Set<String> DYNAMIC = Set.of("atomic", "clc");

    private static final int DYNAMIC_RUNS = 3;

    /** Whether the clusters of a kernel ask for their tiles. */
    static boolean asks(Config config) {
        return DYNAMIC.contains(config.name("scheduler"));
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
            seen.add(Evidence.of(records(twin), bench.gpu().info().smCount(), heldSms, asks, slowdown));
        }
        seen.sort(Comparator.comparingDouble(SchedulerEvidence::idleTailFraction));
        return seen.get(runs / 2);
    }

    /** The twin was just verified, on a GPU that is warm: it needs no warm-up. */
    private double sustainedNs(LoadedKernel twin) {
        int launches = bench.plan().leastLaunches();
        double[] runs = new double[bench.plan().screenRuns()];
        for (int i = 0; i < runs.length; i++) {
            Run run = bench.stopwatch().sustained(twin, launches);
            runs[i] = run.launchNs();
        }
        return Quantiles.median(runs);
    }

    private List<TileRecord> records(LoadedKernel twin) throws DamagedTraceException {
        TraceLayout layout = TraceLayout.of(problem, config);
        DeviceBuffer trace = twin.buffer(BufferRole.TRACE)
                .orElseThrow(() -> new IllegalArgumentException("the traced twin asks for no trace buffer"));
        if (trace.bytes() < layout.bytes()) {
            throw new IllegalArgumentException(
                    "a trace of " + layout.bytes() + " bytes in a buffer of " + trace.bytes());
        }
        Gpu gpu = bench.gpu();
        bench.meter().busy(() -> {
            gpu.fill(trace.address(), 0, trace.bytes());
            twin.enqueue(0);
        });
        byte[] bytes = new byte[Math.toIntExact(layout.bytes())];
        gpu.read(trace.address(), bytes);
        try {
            return layout.decode(ByteBuffer.wrap(bytes));
        } catch (IllegalStateException damaged) {
            throw new DamagedTraceException(damaged);
        }
    }
}
