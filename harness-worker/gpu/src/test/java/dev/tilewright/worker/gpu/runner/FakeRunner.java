package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.measure.FinalPlan;
import dev.tilewright.worker.gpu.measure.RacePlan;
import dev.tilewright.worker.gpu.measure.SettleRule;
import dev.tilewright.worker.gpu.measure.TimingPlan;
import dev.tilewright.worker.gpu.measure.TurnLength;
import dev.tilewright.worker.gpu.peer.Peers;
import dev.tilewright.worker.gpu.stats.race.FinalRule;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A runner on a fake GPU that has the right kernels of {@link Candidate}, {@code gemm} and its twin {@code traced}.
 *
 * @param announced phases that began, in this order
 */
record FakeRunner(FakeGpu gpu, Workbench bench, List<String> announced) {

    /** Small numbers: the fake GPU multiplies on the CPU. */
    static final TimingPlan PLAN = new TimingPlan(
            5,
            5,
            3,
            50_000,
            new TurnLength(50_000, 50_000),
            new FinalPlan(new TurnLength(50_000, 50_000), FinalRule.STANDARD),
            new FinalPlan(new TurnLength(50_000, 50_000), FinalRule.STANDARD),
            5,
            2,
            SettleRule.RACE,
            RacePlan.SAME_CLOCK,
            RacePlan.BETWEEN_TEAMS,
            RacePlan.WITHIN_TEAMS,
            RacePlan.OF_PEERS);

    static FakeRunner open() {
        FakeGpu gpu = new FakeGpu()
                .with("gemm", 20_000, Candidate::multiply)
                .with("traced", 22_000, Candidate::multiplyTraced);
        Workbench bench = Workbench.open(gpu, GpuState.UNKNOWN, PLAN, Peers.installed(gpu, Map.of()), gpu::hostNs);
        return new FakeRunner(gpu, bench, new ArrayList<>());
    }

    TrialResult run(Problem problem, Kernel.Assembled kernel, Kernel.@Nullable Assembled traced) {
        return run(problem, kernel, traced, null);
    }

    /** Each phase is 10 ns long. */
    TrialResult run(
            Problem problem,
            Kernel.Assembled kernel,
            Kernel.@Nullable Assembled traced,
            Kernel.@Nullable Assembled anchor) {
        AtomicLong now = new AtomicLong();
        return new TrialRunner(bench, new Phases(() -> now.addAndGet(10), announced::add))
                .run(new RunTrial(problem, Candidate.CONFIG, kernel, traced, anchor, 3, List.of(Mode.SUSTAINED)))
                .answer();
    }
}
