package dev.tilewright.worker.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.proof.EmulatorBuild;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.gpu.runner.RunnerMain;
import dev.tilewright.worker.link.process.VisibleGpus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The real runner of the emulator, over the same path as that of a GPU, and killed as one would kill that. */
@Timeout(240)
class EmulatedRunnerTest {

    private static final Runners RUNNERS = new Runners(RunnerMain.class, VisibleGpus.of(Map.of()));

    /** Small tiles, so that a small problem goes deep; tails in every extent. */
    private static final Problem SMALL = Problem.of(new ProblemShape(456, 328, 104), DataType.BF16);

    private static final Problem FEW_TILES = Problem.of(new ProblemShape(128, 72, 40), DataType.BF16);

    private static final Map<String, List<ParameterValue>> QUICK = Map.of(
            "scheduler", List.of(ParameterValue.of("static")),
            "mode", List.of(ParameterValue.of("cooperative")),
            "consumers", List.of(ParameterValue.of(1)),
            "tileM", List.of(ParameterValue.of(64)),
            "tileN", List.of(ParameterValue.of(64)),
            "loadStages", List.of(ParameterValue.of(3)),
            "clusterM", List.of(ParameterValue.of(1)),
            "clusterN", List.of(ParameterValue.of(1)));

    /** One for all tests: a runner that has just started proves several times as slowly. */
    private static RunnerDevice device;

    @BeforeAll
    static void open() throws DeviceUnusableException {
        device = RUNNERS.open(DeviceSelector.parseOne("emulated"), () -> "ptxas 13.0.88");
    }

    @AfterAll
    static void close() {
        device.close();
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    /** A text of a user goes the same way; one that does not fit is an answer, and the next one is taken. */
    @Test
    void aTextIsCheckedByTheDescriptionOfItsLaunch() throws Exception {
        Path examples = Path.of("../../docs/examples/check");
        String ptx = Files.readString(examples.resolve("simt-gemm.ptx"));
        String launch = Files.readString(examples.resolve("simt-gemm.yaml"));
        assertThat(device.run(new GpuTask.CheckText(ptx, "grid: 0", null, 1, 2), List.of()))
                .isInstanceOfSatisfying(
                        GpuTaskResult.CheckedText.class,
                        said -> assertThat(said.verdict()).isEqualTo(GpuTaskResult.TextVerdict.WRONG));
        assertThat(device.run(new GpuTask.CheckText(ptx, launch, null, 1, 2), List.of()))
                .isInstanceOfSatisfying(
                        GpuTaskResult.CheckedText.class,
                        said -> assertThat(said.verdict()).isEqualTo(GpuTaskResult.TextVerdict.PROVED));
    }

    /**
     * Until somebody wants a proof there is no process; whoever waits behind a kernel that does not end gets a turn.
     */
    @Test
    void aTextThatDoesNotEndIsEndedAndTheNextIsChecked() throws Exception {
        String ptx = Files.readString(Path.of("../../docs/examples/check/simt-gemm.ptx"));
        String endless = """
                .version 8.0
                .target sm_90a
                .address_size 64
                .visible .entry spin(.param .u64 a)
                {
                LOOP:
                    bra LOOP;
                }
                """;
        String spinning = """
                grid: 64
                block: 1024
                buffers:
                  A: {dtype: f32, shape: [48, 24], init: normal}
                parameters:
                  - pointer: A
                expect:
                  - unchanged: A
                """;
        RunnerLimits limits = new RunnerLimits(
                Duration.ofSeconds(60),
                Duration.ofSeconds(20),
                Duration.ofMinutes(15),
                Duration.ZERO,
                Duration.ofMillis(2500));
        RunnerDevice strict = new Runners(RunnerMain.class, VisibleGpus.of(Map.of()), limits)
                .open(DeviceSelector.parseOne("emulated:3"), () -> "none");
        try {
            assertThat(strict.testbed()).isEqualTo(EmulatorBuild.running().testbed(3, "none"));
            assertThat(runner("emulated:3")).isEmpty();
            GpuTask spin = new GpuTask.CheckText(endless, spinning, null, 1, 1);
            assertThat(strict.run(spin, List.of()))
                    .isEqualTo(
                            new GpuTaskResult.Failed("the check was ended after 2.5 s: make the problem of the launch"
                                    + " smaller, or ask for fewer seeds"));
            assertThat(strict.run(new GpuTask.CheckText(ptx, "grid: 0", null, 1, 1), List.of()))
                    .isInstanceOfSatisfying(
                            GpuTaskResult.CheckedText.class,
                            said -> assertThat(said.verdict()).isEqualTo(GpuTaskResult.TextVerdict.WRONG));
            assertThat(runner("emulated:3")).isPresent();
        } finally {
            strict.close();
        }
    }

    private static PreparedTrial trial(Problem problem, Map<String, List<ParameterValue>> more) {
        SearchSpace space = GemmFamilies.standard()
                .named("sm90-gemm")
                .space()
                .space(problem, DeviceLimits.of(4))
                .restrict(QUICK)
                .restrict(more);
        Config config = SpaceTree.of(space).representatives(List.of()).getFirst();
        LaunchDescription launch = Launches.of(4, 256, 1);
        return new PreparedTrial("sm90-gemm", problem, config, new PreparedKernel.Built(launch, null, "text"), null, 5);
    }

    private static Optional<ProcessHandle> runner() {
        return runner("emulated");
    }

    private static Optional<ProcessHandle> runner(String of) {
        return ProcessHandle.current()
                .descendants()
                .filter(child -> child.info()
                        .commandLine()
                        .filter(line -> line.matches(".*RunnerMain " + of + "( .*)?"))
                        .isPresent())
                .findFirst();
    }

    private static Duration cpu(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseThrow();
    }

    @Test
    void itsTestbedIsTheEmulatorWithItsSmsAndBuild() {
        assertThat(device.label()).isEqualTo("emulated");
        assertThat(device.testbed().kind()).isEqualTo(TestbedKind.EMULATED);
        assertThat(device.testbed().device()).isEqualTo("emulator");
        assertThat(device.testbed().driver())
                .isEqualTo("build " + EmulatorBuild.running().shortId());
        assertThat(device.testbed().assembler()).isEqualTo("ptxas 13.0.88");
        assertThat(device.testbed().smCount()).isEqualTo(4);
        assertThat(device.needsTracedTwin()).isFalse();
    }

    /** What a lease brings of types and layouts reaches the proof in the runner. */
    @ParameterizedTest
    @CsvSource({"E4M3, E5M2, F16, K, K, 272", "BF16, BF16, F32, M, N, 77"})
    void trialsOfOtherTypesAndLayoutsAreProved(DataType a, DataType b, DataType d, Major majorA, Major majorB, int k)
            throws Exception {
        Problem problem = new Problem(
                List.of(new ProblemShape(456, 328, k)),
                1,
                new OperandTypes(a, b, d),
                new OperandMajors(majorA, majorB, Major.N),
                Scenario.QUIET);
        TrialResult result = device.run(trial(problem, Map.of("scheduler", List.of(ParameterValue.of("static")))));
        assertThat(result.outcome()).as(result.toString()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(result.checked().runShape()).isEqualTo(problem.shape());
    }

    @Test
    void aTrialOfSeveralGemmsSaysWhatWasRun() throws Exception {
        Problem problem = new Problem(
                List.of(new ProblemShape(520, 136, 72), new ProblemShape(264, 200, 264)),
                1,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
        SearchSpace space = GemmFamilies.standard()
                .named("sm100-gemm")
                .space()
                .space(problem, DeviceLimits.of(4))
                .restrict(Map.of(
                        "scheduler", List.of(ParameterValue.of("clc")),
                        "tileOrder", List.of(ParameterValue.of("longestFirst")),
                        "ctaGroup", List.of(ParameterValue.of(1)),
                        "tileN", List.of(ParameterValue.of(64)),
                        "loadStages", List.of(ParameterValue.of(2))));
        Config config = SpaceTree.of(space).representatives(List.of()).getFirst();
        LaunchDescription launch = Launches.of(4, 256, 1);

        TrialResult result = device.run(new PreparedTrial(
                "sm100-gemm", problem, config, new PreparedKernel.Built(launch, null, "text"), null, 5));

        assertThat(result.outcome()).as(result.log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(result.checked().finding())
                .startsWith("proved with seeds ")
                .endsWith("\nran: 520x136x72 + 264x200x264 on 4 SMs");
    }

    /**
     * 16 held SMs are more than this GPU has: what is proved is the text and the launch, which know nothing of them.
     */
    @Test
    void theScenarioIsIgnoredAndThatIsSaid() throws Exception {
        PreparedTrial quiet = trial(SMALL, Map.of());
        TrialResult result = device.run(new PreparedTrial(
                quiet.family(), SMALL.beside(new Scenario(16)), quiet.config(), quiet.kernel(), null, quiet.seed()));
        assertThat(result.outcome()).as(result.log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(result.checked().verdict()).isEqualTo(Verdict.PROVED);
        assertThat(result.evidence().heldSms()).isEmpty();
        assertThat(result.log()).contains("busySms = 16 is ignored: text and launch are those of a quiet GPU");
    }

    @Test
    void aTrialIsAProofWithoutTimesAndSurvivesTheDeathOfItsRunner() throws Exception {
        TrialResult first = device.run(trial(SMALL, Map.of()));
        assertThat(first.outcome()).as(first.log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(first.measurements()).isEmpty();
        assertThat(first.errorRatio()).isBetween(1e-6, 1.0);
        assertThat(first.executed().gridX()).isEqualTo(4);
        assertThat(first.executed().threads()).isEqualTo(256);
        assertThat(first.evidence().tilesPerSm()).hasSize(4).allMatch(tiles -> tiles >= 3);
        assertThat(first.evidence().tilesPerSm().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(8 * 6);
        assertThat(first.evidence().idleTailFraction()).isNull();
        Checked checked = first.checked();
        assertThat(checked.verdict()).isEqualTo(Verdict.PROVED);
        assertThat(checked.shape()).isEqualTo(SMALL.shape());
        assertThat(checked.runShape()).isEqualTo(SMALL.shape());
        assertThat(checked.sms()).isEqualTo(4);
        assertThat(checked.seed()).isEqualTo(5);
        assertThat(checked.seeds()).isEqualTo(ProofPlan.DEFAULT_SEEDS);
        assertThat(checked.steps()).isGreaterThan(10_000);
        assertThat(checked.emulator()).isEqualTo(EmulatorBuild.running().id());
        assertThat(checked.cached()).isFalse();
        assertThat(first.timesNs()).containsKeys("verify", "trace");
        assertThat(first.log()).startsWith("emulated: proved with seeds 5..9");

        // Killed between two trials, and in the middle of one: neither costs a trial.
        ProcessHandle idle = runner().orElseThrow();
        idle.destroyForcibly();
        idle.onExit().join();
        assertThat(device.run(trial(FEW_TILES, Map.of())).outcome()).isEqualTo(TrialOutcome.PRUNED);
        ProcessHandle busy = runner().orElseThrow();
        Duration before = cpu(busy);
        CompletableFuture<TrialResult> second = CompletableFuture.supplyAsync(() -> {
            try {
                return device.run(trial(SMALL, Map.of()));
            } catch (DeviceUnusableException unusable) {
                throw new CompletionException(unusable);
            }
        });
        while (cpu(busy).minus(before).toMillis() < 500) {
            Thread.sleep(20);
        }
        assertThat(second).isNotDone();
        busy.destroyForcibly();
        assertThat(second.join().outcome()).as(second.join().log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(second.join().checked()).isEqualTo(checked);
        assertThat(runner().orElseThrow().pid()).isNotEqualTo(busy.pid());
    }

    @Test
    void aLargeProblemIsMappedAndBothShapesAreTold() throws DeviceUnusableException {
        Problem large = Problem.of(new ProblemShape(8256, 4104, 16_392), DataType.BF16);
        TrialResult result = device.run(trial(large, Map.of()));
        assertThat(result.outcome()).as(result.log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(result.checked().shape()).isEqualTo(large.shape());
        ProblemShape run = result.checked().runShape();
        assertThat(run.flops()).isLessThan(large.shape().flops() / 1000);
        assertThat(run.m() % 64).isEqualTo(8256 % 64);
        assertThat(run.n() % 64).isEqualTo(4104 % 64);
        assertThat(run.k() % 32).isEqualTo(16_392 % 32);
        assertThat(result.log()).contains(run + " in place of 8256x4104x16392");
    }

    @Test
    void aProblemWithTooFewTilesIsPrunedByTheRule() throws DeviceUnusableException {
        TrialResult result = device.run(trial(FEW_TILES, Map.of()));
        assertThat(result.outcome()).as(result.log()).isEqualTo(TrialOutcome.PRUNED);
        assertThat(result.checked().verdict()).isEqualTo(Verdict.SHALLOW);
        assertThat(result.checked().finding()).startsWith("check.shallow: ").contains("a proof needs 3");
        assertThat(result.log()).startsWith("emulated: check.shallow: ");
    }

    @Test
    void whatTheEmulatedGpuCannotHoldIsUnsupported() throws DeviceUnusableException {
        PreparedTrial cluster = trial(
                SMALL, Map.of("clusterM", List.of(ParameterValue.of(1)), "clusterN", List.of(ParameterValue.of(1))));
        Config two = cluster.config().with("clusterM", ParameterValue.of(2));
        RunnerDevice small = RUNNERS.open(DeviceSelector.parseOne("emulated:1"), () -> "none");
        TrialResult result;
        try {
            assertThat(small.testbed().smCount()).isEqualTo(1);
            result = small.run(new PreparedTrial("sm90-gemm", SMALL, two, cluster.kernel(), null, 5));
        } finally {
            small.close();
        }
        assertThat(result.outcome()).isEqualTo(TrialOutcome.UNASSEMBLED);
        assertThat(result.checked().verdict()).isEqualTo(Verdict.UNSUPPORTED);
        assertThat(result.checked().runShape()).isNull();
        assertThat(result.log()).contains("a device with 1 SMs holds no cluster of 2 CTAs");
    }

    @Test
    void runsNoFinals() {
        assertThatThrownBy(() ->
                        device.runFinal(new PreparedFinal(SMALL, List.of(), 3, null, List.of("cublaslt"), 1), () -> {}))
                .isInstanceOf(DeviceUnusableException.class)
                .hasMessage("a device of kind emulated runs no finals: it cannot time the peers");
    }
}
