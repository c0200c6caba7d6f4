package dev.tilewright.worker.runner.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.device.cuda.FakeGpu;
import dev.tilewright.worker.device.cuda.GpuState;
import dev.tilewright.worker.measure.TimingPlan;
import dev.tilewright.worker.peer.PeerArm;
import dev.tilewright.worker.peer.PeerArms;
import dev.tilewright.worker.peer.Peers;
import dev.tilewright.worker.runner.link.RunnerReply.FinalDone;
import dev.tilewright.worker.runner.link.RunnerRequest.Finalist;
import dev.tilewright.worker.runner.link.RunnerRequest.RunFinal;
import dev.tilewright.worker.verify.TestData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FinalRunnerTest {

    private static final TimingPlan PLAN = new TimingPlan(5, 3, 50_000, 100_000, 100_000, 5, 2);
    private static final List<Mode> MODES = List.of(Mode.SUSTAINED, Mode.COLD);

    private final FakeGpu gpu = new FakeGpu()
            .with("fast", 20_000, Candidate::multiply)
            .with("slow", 30_000, Candidate::multiply)
            .with("vendor", 25_000, Candidate::multiply);
    private final List<String> announced = new ArrayList<>();

    private FinalDone run(Peers peers, String... entries) {
        return run(Candidate.PROBLEM, peers, entries);
    }

    private FinalDone run(Problem problem, Peers peers, String... entries) {
        List<Finalist> finalists = new ArrayList<>();
        for (String entry : entries) {
            finalists.add(new Finalist(
                    "arm-" + entry, UUID.randomUUID(), "sm90-gemm", Candidate.CONFIG, Candidate.kernel(entry)));
        }
        Workbench bench = Workbench.open(gpu, GpuState.UNKNOWN, PLAN, peers);
        return new FinalRunner(bench, new Phases(() -> 0, announced::add))
                .run(new RunFinal(problem, finalists, List.of("vendor"), 9, MODES));
    }

    /** A peer with one kernel. */
    private PeerArms vendor(String family, TestData data) {
        LoadedKernel kernel = LoadedKernel.load(gpu, "vendor algorithm=0", Candidate.kernel("vendor"), data);
        Config config = Config.of(Map.of("algorithm", ParameterValue.of(0)));
        return new PeerArms.Found("libvendor 1", List.of(new PeerArm(family, config, kernel)), kernel::close);
    }

    private static Report.Arm arm(FinalDone done, String name) {
        return done.arms().stream()
                .filter(arm -> arm.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyArmIsTimedInBothModesAndComparedWithEachPeer() {
        FinalDone done = run(this::vendor, "fast", "slow");
        assertThat(done.arms()).hasSize(3).allSatisfy(arm -> {
            assertThat(arm.outcome()).isEqualTo(TrialOutcome.COMPLETED);
            assertThat(arm.errorRatio()).isBetween(0.01, 1.0);
            assertThat(arm.measurements()).extracting("mode").containsExactlyElementsOf(MODES);
            assertThat(arm.measurements()).extracting("stage").containsOnly(Stage.FINAL);
            assertThat(arm.measurements()).extracting("blocks").containsOnly(5);
        });
        assertThat(arm(done, "vendor algorithm=0").trialId()).isNull();
        assertThat(done.blocks()).hasSize(3 * 2 * 5);
        assertThat(done.ratios()).hasSize(4).allSatisfy(ratio -> {
            assertThat(ratio.peer()).isEqualTo("vendor algorithm=0");
            double expected = ratio.arm().equals("arm-fast") ? 25_000 / 20_000.0 : 25_000 / 30_000.0;
            assertThat(ratio.ratio().value()).isCloseTo(expected, within(1e-9));
        });
        assertThat(done.log()).contains("libvendor 1");
        assertThat(announced).containsExactly("reference", "load", "verify", "final", "verify");
    }

    @Test
    void inABusyScenarioOursAndThePeersAreTimedBesideTheSameHolders() {
        FinalDone done = run(Candidate.PROBLEM.beside(new Scenario(2)), this::vendor, "fast");
        assertThat(done.log()).endsWith("SMs held while timed: 0, 1");
        assertThat(done.ratios()).hasSize(2);
        List<String> held = gpu.history.subList(gpu.history.indexOf("hold 2"), gpu.history.indexOf("let go"));
        assertThat(held).contains("fast", "vendor").doesNotContain("compare_bf16");
        // Sustained turns settle and are timed; a cold turn is one run; each arm is tried once before.
        assertThat(held.stream().filter("beat"::equals)).hasSize(2 + 5 * 2 * 2 + 5 * 2);
        assertThat(gpu.history.stream().filter("hold 2"::equals)).hasSize(1);
    }

    @Test
    void aPeerThatIsNotHereIsSaidAndOursAreTimedAlone() {
        FinalDone done = run((family, data) -> new PeerArms.Absent("no library"), "fast");
        assertThat(done.log()).isEqualTo("vendor is absent: no library");
        assertThat(arm(done, "arm-fast").measurements()).hasSize(2);
        assertThat(done.ratios()).isEmpty();
    }

    @Test
    void anArmWithAWrongResultHasNoTimeAndTheOthersGoOn() {
        gpu.with("wrong", 1_000, (any, p) -> any.at(p.get(2)).putShort(0, (short) 0));
        FinalDone done = run(this::vendor, "wrong", "fast");
        assertThat(arm(done, "arm-wrong").outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(arm(done, "arm-wrong").measurements()).isEmpty();
        assertThat(arm(done, "arm-fast").outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.blocks()).extracting("arm").doesNotContain("arm-wrong");
        assertThat(done.ratios()).extracting("arm").containsOnly("arm-fast");
    }

    @Test
    void anArmThatGoesWrongAfterTimingLosesItsTimes() {
        AtomicInteger launches = new AtomicInteger();
        gpu.with("flaky", 20_000, (any, p) -> {
            if (launches.incrementAndGet() < 50) {
                Candidate.multiply(any, p);
            }
        });
        FinalDone done = run(this::vendor, "flaky");
        assertThat(arm(done, "arm-flaky").outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(arm(done, "arm-flaky").log()).contains("after timing");
        assertThat(arm(done, "arm-flaky").measurements()).isEmpty();
        assertThat(done.ratios()).isEmpty();
    }

    @Test
    void aRefusedArmFailsAlone() {
        FinalDone done = run(this::vendor, "unknown", "fast");
        assertThat(arm(done, "arm-unknown").outcome()).isEqualTo(TrialOutcome.LAUNCH);
        assertThat(arm(done, "arm-fast").measurements()).hasSize(2);
    }

    @Test
    void aFaultIsBlamedOnTheArmThatWasAtWork() {
        AtomicInteger launches = new AtomicInteger();
        gpu.with("fault", 20_000, (any, p) -> {
            Candidate.multiply(any, p);
            if (launches.incrementAndGet() == 20) {
                any.fault();
            }
        });
        FinalDone done = run(this::vendor, "fast", "fault");
        assertThat(arm(done, "arm-fault").outcome()).isEqualTo(TrialOutcome.CRASH);
        assertThat(arm(done, "arm-fast").outcome()).isEqualTo(TrialOutcome.INFRASTRUCTURE);
        assertThat(arm(done, "arm-fast").log()).contains("arm-fault brought down the GPU");
        assertThat(done.blocks()).isEmpty();
    }

    @Test
    void anUnknownPeerIsRefusedByName() {
        assertThatThrownBy(() -> run(Peers.installed(gpu, Map.of()), "fast"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown peer 'vendor'; known: cublaslt");
    }
}
