package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.measure.FinalPlan;
import dev.tilewright.worker.gpu.measure.RacePlan;
import dev.tilewright.worker.gpu.measure.SettleRule;
import dev.tilewright.worker.gpu.measure.TimingPlan;
import dev.tilewright.worker.gpu.measure.TurnLength;
import dev.tilewright.worker.gpu.peer.PeerArm;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.gpu.peer.Peers;
import dev.tilewright.worker.gpu.stats.race.FinalRule;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest.Entrant;
import dev.tilewright.worker.link.runner.RunnerRequest.RunFinal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finals on a GPU of the test's own, whose kernels take as long as they are told. */
abstract class FinalOnFakeGpu {

    static final FinalRule RULE = new FinalRule(0.005, 3, 5, 12, 90, 200, FinalRule.STANDARD.leaving());

    static final TimingPlan PLAN = plan(RULE, new TurnLength(100_000, 100_000));

    /** A plan whose finals have turns of this length where the clock swings. */
    static TimingPlan plan(FinalRule rule, TurnLength swing) {
        return new TimingPlan(
                5,
                5,
                3,
                50_000,
                new TurnLength(100_000, 100_000),
                new FinalPlan(new TurnLength(100_000, 100_000), rule),
                new FinalPlan(swing, rule),
                5,
                2,
                new SettleRule(100_000, 100_000, 200_000, 0.02, 0.02),
                RacePlan.SAME_CLOCK,
                new RacePlan(2, 1, 3, RacePlan.BETWEEN_TEAMS.leaving()),
                new RacePlan(2, 1, 3, RacePlan.WITHIN_TEAMS.leaving()),
                new RacePlan(2, 1, 3, RacePlan.OF_PEERS.leaving()));
    }

    static final List<Mode> MODES = List.of(Mode.SUSTAINED, Mode.COLD);

    final FakeGpu gpu = new FakeGpu()
            .with("fast", 20_000, Candidate::multiply)
            .with("slow", 30_000, Candidate::multiply)
            .with("vendor", 25_000, Candidate::multiply);
    final List<String> announced = new ArrayList<>();
    TimingPlan plan = PLAN;
    GpuState state = GpuState.UNKNOWN;

    FinalResult run(Peers peers, String... entries) {
        return run(peers, 4, null, entries);
    }

    FinalResult run(Problem problem, Peers peers, String... entries) {
        return run(problem, peers, 4, null, entries);
    }

    FinalResult run(Peers peers, int finalists, @Nullable String anchor, String... entries) {
        return run(Candidate.PROBLEM, peers, finalists, anchor, entries);
    }

    FinalResult run(Problem problem, Peers peers, int finalists, @Nullable String anchor, String... entries) {
        List<Entrant> entrants = new ArrayList<>();
        for (String entry : entries) {
            entrants.add(entrant(entry, entrants.size(), kernel(problem, entry)));
        }
        return run(problem, peers, finalists, anchor, entrants);
    }

    FinalResult run(Problem problem, Peers peers, int finalists, @Nullable String anchor, List<Entrant> entrants) {
        return run(problem, peers, finalists, anchor, entrants, List.of());
    }

    FinalResult run(
            Problem problem,
            Peers peers,
            int finalists,
            @Nullable String anchor,
            List<Entrant> entrants,
            List<Entrant> rivals) {
        Workbench bench = Workbench.open(gpu, state, plan, peers);
        return new FinalRunner(bench, new Phases(() -> 0, announced::add))
                .run(new RunFinal(
                        problem,
                        entrants,
                        finalists,
                        anchor == null ? null : kernel(problem, anchor),
                        List.of("vendor"),
                        rivals,
                        9,
                        MODES));
    }

    private static Kernel.Assembled kernel(Problem problem, String entry) {
        Kernel.Assembled kernel = Candidate.kernel(entry);
        return problem.scenario().launchOverlap() ? Candidate.overlapping(kernel) : kernel;
    }

    /** A peer with one kernel. */
    PeerArms vendor(String family, TestData data) {
        return vendors(family, data, "vendor");
    }

    /** A peer with such kernels, the first being its own choice. */
    PeerArms vendors(String family, TestData data, String... entries) {
        List<PeerArm> arms = new ArrayList<>();
        List<LoadedKernel> kernels = new ArrayList<>();
        for (int i = 0; i < entries.length; i++) {
            LoadedKernel kernel = LoadedCubin.load(gpu, "vendor algorithm=" + i, Candidate.kernel(entries[i]), data);
            kernels.add(kernel);
            arms.add(new PeerArm(family, Config.of(Map.of("algorithm", ParameterValue.of(i))), kernel));
        }
        return new PeerArms.Found("libvendor 1", arms, () -> kernels.forEach(LoadedKernel::close));
    }

    static Report.Arm arm(FinalResult done, String name) {
        return done.arms().stream()
                .filter(arm -> arm.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static Entrant entrant(String entry) {
        return entrant(entry, 0);
    }

    static Entrant entrant(String entry, int team) {
        return entrant(entry, team, Candidate.kernel(entry));
    }

    static Entrant entrant(String entry, int team, Kernel.Assembled kernel) {
        return new Entrant("arm-" + entry, UUID.randomUUID(), team, "sm90-gemm", Candidate.CONFIG, kernel);
    }

    static List<Stage> stages(FinalResult done, String name) {
        return arm(done, name).measurements().stream().map(Measurement::stage).toList();
    }
}
