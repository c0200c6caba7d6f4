package dev.tilewright.worker.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.GpuTarget;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.StopRule;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.compile.Assembly;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.agent.device.PreparedTurns;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.process.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A runner may hang, fault or be killed: the trial gets its outcome, and the next trial runs. The runners are threads;
 * {@link RunnerProcessTest} has the same with processes.
 */
@Timeout(120)
class RunnerDeviceTest {

    private static final RunnerLimits LIMITS = new RunnerLimits(
            Duration.ofSeconds(30),
            Duration.ofSeconds(20),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ZERO);
    private static final Problem PROBLEM = Problem.of(new ProblemShape(256, 128, 64), DataType.BF16);
    private static final Config CONFIG = Config.of(Map.of("tileM", ParameterValue.of(128)));

    @TempDir
    private Path directory;

    private final AtomicInteger raced = new AtomicInteger();
    private RunnerDevice device;

    @BeforeEach
    void open() throws IOException, DeviceUnusableException {
        device = RunnerDevice.open("cuda:0", () -> "ptxas 13.0.88", host(), LIMITS, ScratchDirectory.create("test"));
    }

    private RunnerHost host() {
        return new RunnerHost(() -> ThreadedRunner.start(directory), LIMITS);
    }

    @AfterEach
    void close() {
        device.close();
    }

    static PreparedTrial trial(long behaviour) {
        return trial(behaviour, "hash-" + behaviour);
    }

    private static PreparedTrial trial(long behaviour, String ptxHash) {
        LaunchDescription launch = Launches.of(12, 384, 2);
        Assembly assembly = new Assembly(new Cubin(new byte[4711]), "cubin", 168, 0, 0, List.of(), "");
        return new PreparedTrial(
                "sm90-gemm", PROBLEM, CONFIG, new PreparedKernel.Built(launch, assembly, ptxHash), null, behaviour);
    }

    private long runners() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("run-"))
                    .count();
        }
    }

    private void assertNextTrialRuns() throws DeviceUnusableException {
        assertThat(device.run(trial(FakeRunner.GOOD)).outcome()).isEqualTo(TrialOutcome.COMPLETED);
    }

    @Test
    void tellsItsTestbed() {
        assertThat(device.testbed().kind()).isEqualTo(TestbedKind.CUDA);
        assertThat(device.testbed().device()).isEqualTo("fake GPU");
        assertThat(device.testbed().assembler()).isEqualTo("ptxas 13.0.88");
        assertThat(device.needsTracedTwin()).isTrue();
        assertThat(device.limits().smCount())
                .as("launches are made for what the runner saw of its GPU")
                .isEqualTo(132);
        assertThat(device.limits().deals()).isEqualTo(FakeRunner.DEALS);
        assertThat(device.limits().resident()).as("counted, or as known").isEqualTo(Map.of(2, 66, 4, 31, 8, 15));
        assertThat(device.offer().deals())
                .containsExactly(new DeviceOffer.Deal(2, 4, 8, 4, 7, 4), new DeviceOffer.Deal(4, 0, 8, 2, 7, 2));
    }

    @Test
    void aCubinOfAnotherGpuIsRefusedByBothNames() {
        for (String target : List.of("sm_90a", "sm_90")) {
            assertThat(refusalOfACubin(target)).isEqualTo("a launch that is timed computes one GEMM, got 0");
        }
        for (String target : List.of("sm_80", "sm_100a")) {
            assertThat(refusalOfACubin(target))
                    .isEqualTo(
                            "a cubin for " + target + " does not run on cuda:0, fake GPU, which runs those for sm_90");
        }
    }

    private String refusalOfACubin(String target) {
        Assembly cubin = Assembly.brought(new byte[100]);
        PreparedKernel kernel = PreparedKernel.Built.brought(
                Launches.of(12, 384, 2), cubin, GpuTarget.parse(target).orElseThrow(), new byte[1]);
        return device.refusal(PROBLEM, kernel).orElseThrow();
    }

    private static GpuTask task(long seed) {
        GpuTask.Side own = new GpuTask.Side.Own("sm90-gemm", CONFIG);
        return new GpuTask.Compare(PROBLEM, own, own, false, seed);
    }

    private GpuTaskResult run(GpuTask task) throws DeviceUnusableException {
        PreparedKernel kernel = trial(FakeRunner.GOOD).kernel();
        return device.run(task, List.of(kernel, kernel));
    }

    @Test
    void aTaskIsAnsweredWithAllItsKernelsByAFreshProcessWhereItIsWanted() throws DeviceUnusableException, IOException {
        GpuTask.Side own = new GpuTask.Side.Own("sm90-gemm", CONFIG);
        assertThat(run(task(1))).isEqualTo(new GpuTaskResult.Failed("a fake GPU got 2 kernels"));
        run(task(2));
        assertThat(runners()).isEqualTo(1);
        run(new GpuTask.Compare(PROBLEM, own, own, false, 3, StopRule.COMPARISON, true, false, List.of()));
        assertThat(runners()).isEqualTo(2);
    }

    @Test
    void aRunnerThatDiesOverATaskIsSaidAndTheNextOneRuns() throws DeviceUnusableException, IOException {
        assertThat(run(task(FakeRunner.DEADLY_SEED)))
                .isInstanceOfSatisfying(
                        GpuTaskResult.Failed.class,
                        failed -> assertThat(failed.reason()).startsWith("the runner ended with "));
        assertThat(run(task(FakeRunner.DEADLY_SEED))).isEqualTo(new GpuTaskResult.Failed("a fake GPU got 2 kernels"));
        assertThat(runners()).isEqualTo(2);
    }

    private static PreparedTurns turns(long seed) {
        return new PreparedTurns(
                PROBLEM,
                List.of(
                        new PreparedTurns.Arm("v0", "steps", trial(1).kernel()),
                        new PreparedTurns.Arm("v1", "steps", trial(2).kernel())),
                seed);
    }

    @Test
    void kernelsInTurnsReachTheRunnerByTheirNames() throws DeviceUnusableException {
        FinalResult done = device.runTurns(turns(1));
        assertThat(done.log()).isEqualTo("in turns");
        assertThat(done.arms()).extracting(Report.Arm::name).containsExactly("v0", "v1");
    }

    @Test
    void aRunnerThatDiesOverTurnsIsSaidAndTheNextOneRuns() throws DeviceUnusableException, IOException {
        FinalResult lost = device.runTurns(turns(FakeRunner.DEADLY_SEED));
        assertThat(lost.arms()).isEmpty();
        assertThat(lost.log()).startsWith("crash: the runner ended with ");
        assertThat(device.runTurns(turns(1)).arms()).hasSize(2);
        assertThat(runners()).isEqualTo(2);
    }

    @Test
    void passesOnWhatTheRunnerFound() throws DeviceUnusableException, IOException {
        TrialResult result = device.run(trial(FakeRunner.GOOD));

        assertThat(result.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(result.errorRatio()).isEqualTo(0.25);
        assertThat(result.executed().gridX()).isEqualTo(12);
        assertThat(result.measurements())
                .singleElement()
                .satisfies(m -> assertThat(m.ciLowNs()).isEqualTo(9e4));
        assertThat(result.log()).isEqualTo("cubin of 4711 bytes");
        assertThat(runners()).isEqualTo(1);
    }

    @Test
    void aHangIsATimeout() throws DeviceUnusableException {
        TrialResult result = device.run(trial(FakeRunner.HANGS));

        assertThat(result.outcome()).isEqualTo(TrialOutcome.TIMEOUT);
        assertThat(result.log()).contains("killed after 1.0", "phase verify");
        assertNextTrialRuns();
    }

    @Test
    void aDeathIsACrashWithItsLastWords() throws DeviceUnusableException, IOException {
        TrialResult result = device.run(trial(FakeRunner.DIES));

        assertThat(result.outcome()).isEqualTo(TrialOutcome.CRASH);
        assertThat(result.log()).contains("exit code 77", "phase verify", "CUDA_ERROR_ILLEGAL_ADDRESS");
        assertNextTrialRuns();
        assertThat(runners()).isEqualTo(2);
    }

    @Test
    void aContextThatFaultedIsNotUsedAgain() throws DeviceUnusableException, IOException {
        assertThat(device.run(trial(FakeRunner.FAULTS)).outcome()).isEqualTo(TrialOutcome.CRASH);
        assertNextTrialRuns();
        assertThat(runners()).isEqualTo(2);
    }

    @Test
    void aRunnerThatSomebodyKilledIsNoFaultOfTheTrial() throws DeviceUnusableException, IOException {
        assertThat(device.run(trial(FakeRunner.KILLED_FROM_OUTSIDE)).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(runners()).isEqualTo(2);
    }

    @Test
    void theRunnersOwnFailureIsInfrastructure() throws DeviceUnusableException {
        TrialResult result = device.run(trial(FakeRunner.FAILS));

        assertThat(result.outcome()).isEqualTo(TrialOutcome.INFRASTRUCTURE);
        assertThat(result.log()).contains("out of device memory");
        assertNextTrialRuns();
    }

    @Test
    void anAnswerOutOfTurnIsInfrastructure() throws DeviceUnusableException {
        assertThat(device.run(trial(FakeRunner.SPEAKS_NONSENSE)).outcome()).isEqualTo(TrialOutcome.INFRASTRUCTURE);
        assertNextTrialRuns();
    }

    @Test
    void blamesNoTrialForABrokenGpu() {
        assertThatThrownBy(() -> device.run(trial(FakeRunner.BREAKS_THE_GPU)))
                .isInstanceOf(DeviceUnusableException.class)
                .hasMessageContaining("known-good kernel")
                .hasMessageContaining("ECC error");
    }

    @Test
    void aTextThatKilledTwiceIsNotRunAgain() throws DeviceUnusableException, IOException {
        device.run(trial(FakeRunner.DIES, "bad text"));
        device.run(trial(FakeRunner.FAULTS, "bad text"));
        long before = runners();

        TrialResult third = device.run(trial(FakeRunner.GOOD, "bad text"));

        assertThat(third.outcome()).isEqualTo(TrialOutcome.QUARANTINED);
        assertThat(third.log()).contains("bad text");
        assertThat(runners()).isEqualTo(before);
        assertNextTrialRuns();
    }

    @Test
    void theNextTrialIsThereWhenItIsAskedFor() throws DeviceUnusableException, IOException {
        PreparedTrial next = trial(FakeRunner.GOOD, "next");

        assertThat(device.run(trial(FakeRunner.GOOD), next).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(device.run(next, trial(FakeRunner.GOOD, "third")).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(runners()).isEqualTo(1);
    }

    @Test
    void aHangIsBlamedOnTheTrialAtHandAndTheNextIsRunByAnotherRunner() throws DeviceUnusableException, IOException {
        PreparedTrial next = trial(FakeRunner.GOOD, "next");

        assertThat(device.run(trial(FakeRunner.HANGS), next).outcome()).isEqualTo(TrialOutcome.TIMEOUT);
        assertThat(device.run(next).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(runners()).isEqualTo(2);
    }

    @Test
    void aFaultTakesTheQueuedTrialWithItUndone() throws DeviceUnusableException, IOException {
        PreparedTrial next = trial(FakeRunner.DIES, "next");

        assertThat(device.run(trial(FakeRunner.FAULTS), next).outcome()).isEqualTo(TrialOutcome.CRASH);
        assertThat(device.run(trial(FakeRunner.GOOD)).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        TrialResult own = device.run(next);
        assertThat(own.outcome()).as("by itself").isEqualTo(TrialOutcome.CRASH);
        assertThat(own.log()).contains("exit code 77", "phase verify");
    }

    @Test
    void aQueuedTrialThatHangsIsBlamedWhenItsTurnComes() throws DeviceUnusableException {
        PreparedTrial next = trial(FakeRunner.HANGS, "next");

        assertThat(device.run(trial(FakeRunner.GOOD), next).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(device.run(next).outcome()).isEqualTo(TrialOutcome.TIMEOUT);
        assertNextTrialRuns();
    }

    @Test
    void whoDiesOrHangsWhileItMakesTheNextTrialReadyTriesTheFirstAgainAlone()
            throws DeviceUnusableException, IOException {
        PreparedTrial next = trial(FakeRunner.GOOD, "next");

        assertThat(device.run(trial(FakeRunner.DIES_AHEAD), next).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(device.run(next).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        Files.delete(directory.resolve("ahead"));
        assertThat(device.run(trial(FakeRunner.HANGS_AHEAD), next).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(runners()).isEqualTo(3);
    }

    @Test
    void theAnswerOfATrialThatIsAskedForNoMoreIsNobodysAnswer() throws DeviceUnusableException, IOException {
        PreparedTrial dropped = trial(FakeRunner.FAILS, "dropped");
        PreparedTrial faulting = trial(FakeRunner.FAULTS, "faulting");

        device.run(trial(FakeRunner.GOOD), dropped);
        assertThat(device.run(trial(FakeRunner.GOOD), faulting).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(device.run(trial(FakeRunner.GOOD)).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(runners()).as("a runner in doubt is not used again").isEqualTo(3);
    }

    @Test
    void makesDataAheadOfItsTrials() throws DeviceUnusableException, IOException {
        device.expect(PROBLEM, 1);
        assertNextTrialRuns();
        assertThat(runners()).isEqualTo(1);
    }

    @Test
    void passesOnAFinal() throws DeviceUnusableException {
        assertThat(runFinal(new PreparedFinal(PROBLEM, List.of(), 3, null, List.of("cublaslt"), 1))
                        .log())
                .isEqualTo("[cublaslt]");
        assertThat(raced).as("once, when the race is over").hasValue(1);
    }

    private FinalResult runFinal(PreparedFinal last) throws DeviceUnusableException {
        return device.runFinal(last, raced::incrementAndGet);
    }

    private static PreparedFinal lastOf(String peer) {
        return last(List.of(peer), List.of());
    }

    /** @param rivals names of kernels of peers; what a fake runner does depends on them */
    private static PreparedFinal last(List<String> peers, List<String> rivals) {
        return last(peers, rivals, 0);
    }

    private static PreparedFinal last(List<String> peers, List<String> rivals, double peerSeconds) {
        PreparedFinal.Arm arm = new PreparedFinal.Arm(
                UUID.randomUUID(),
                0,
                "sm90-gemm",
                CONFIG,
                trial(FakeRunner.GOOD).kernel());
        return new PreparedFinal(
                PROBLEM,
                List.of(arm),
                3,
                null,
                peers,
                rivals.stream().map(RunnerDeviceTest::rival).toList(),
                1,
                peerSeconds);
    }

    private static PreparedFinal.Rival rival(String name) {
        return new PreparedFinal.Rival(
                name,
                "bundle:theirs",
                CONFIG,
                trial(FakeRunner.GOOD, "text of " + name).kernel());
    }

    private static String outcomes(FinalResult result) {
        return result.arms().stream()
                .map(arm -> (arm.trialId() == null ? arm.name() : "ours") + " " + arm.outcome())
                .collect(Collectors.joining(", "));
    }

    /** Says once that what runs is wanted no more, when the runner has begun with something that does not end. */
    private Thread abandoning() {
        return Thread.ofPlatform().start(() -> {
            while (!Files.exists(directory.resolve(FakeRunner.BEGUN))) {
                Thread.onSpinWait();
            }
            device.abandon();
        });
    }

    private void assertAFinalIsEndedAndTheNextTrialRuns() throws DeviceUnusableException, InterruptedException {
        Thread other = abandoning();

        assertThatThrownBy(() -> runFinal(lastOf(FakeRunner.ENDLESS_PEER))).isInstanceOf(CancellationException.class);

        other.join();
        device.renew();
        assertNextTrialRuns();
    }

    @Test
    void aFinalThatNobodyWantsAnyMoreIsEnded() throws DeviceUnusableException, IOException, InterruptedException {
        assertAFinalIsEndedAndTheNextTrialRuns();
        assertThat(runners()).isEqualTo(2);
    }

    @Test
    void whatIsWantedNoMoreIsNotBegun() throws DeviceUnusableException, IOException {
        device.abandon();

        assertThatThrownBy(() -> runFinal(lastOf(FakeRunner.ENDLESS_PEER))).isInstanceOf(CancellationException.class);

        assertThat(directory.resolve(FakeRunner.BEGUN)).doesNotExist();
        device.renew();
        assertNextTrialRuns();
        assertThat(runners()).isEqualTo(1);
    }

    /**
     * What was queued hangs, and the final waits for it: the runner that is struck is not the one that would run it.
     */
    @Test
    void aFinalThatWaitsForWhatWasQueuedIsEndedToo() throws DeviceUnusableException, InterruptedException {
        assertThat(device.run(trial(FakeRunner.GOOD), trial(FakeRunner.HANGS)).outcome())
                .isEqualTo(TrialOutcome.COMPLETED);
        assertAFinalIsEndedAndTheNextTrialRuns();
    }

    /** The trial hangs: were it abandoned, it would not be found out. */
    @Test
    void aScreenComesToItsEndAllTheSame() throws DeviceUnusableException, InterruptedException {
        Thread other = abandoning();

        assertThat(device.run(trial(FakeRunner.HANGS)).outcome()).isEqualTo(TrialOutcome.TIMEOUT);

        other.join();
    }

    @Test
    void aFinalWhoseRunnerSomebodyKilledIsTriedAgain() throws DeviceUnusableException, IOException {
        assertThat(runFinal(lastOf(FakeRunner.KILLED_PEER)).log()).isEqualTo("[killed]");
        assertThat(runners()).isEqualTo(2);
    }

    @Test
    void aFinalThatWasLostInASearchIsTriedAgainWithoutItAndSaysSo() throws DeviceUnusableException {
        FinalResult result = runFinal(last(List.of(FakeRunner.KILLED_PEER), List.of(), 3));
        assertThat(result.log()).isEqualTo("[killed]");
        assertThat(result.searches()).singleElement().satisfies(search -> {
            assertThat(search.tried()).isZero();
            assertThat(search.trouble())
                    .startsWith("the final failed with it: ")
                    .contains("SIGKILL");
        });
    }

    @Test
    void aPeersKernelThatFaultsInAFinalLeavesIt() throws DeviceUnusableException, IOException {
        FinalResult result = runFinal(last(List.of("cublaslt"), List.of("good", FakeRunner.FAULTING_RIVAL, "other")));

        assertThat(outcomes(result)).isEqualTo("ours completed, good completed, other completed, faulting crash");
        assertThat(result.log()).contains("faulting brought down the GPU").contains("[cublaslt]");
        assertThat(result.arms().getLast().log()).contains("run again without it\nCUDA_ERROR_ILLEGAL_ADDRESS");
        assertThat(runners()).as("a context that faulted is not used again").isEqualTo(2);
        assertThat(raced).as("each of the two times").hasValue(2);
    }

    @Test
    void aFinalThatEndsItsRunnerIsRunWithoutTheKernelsOfPeers() throws DeviceUnusableException, IOException {
        FinalResult result = runFinal(last(List.of(), List.of("good", FakeRunner.DEADLY_RIVAL)));

        assertThat(outcomes(result)).isEqualTo("ours completed, good crash, deadly crash");
        assertThat(result.arms().getLast().log()).contains("good, deadly ran in a final that ended its runner");
        assertThat(runners()).isEqualTo(2);
    }

    @Test
    void aPeersKernelThatBreaksTheGpuIsAskedForTwice() throws DeviceUnusableException, IOException {
        PreparedFinal breaking = last(List.of(), List.of(FakeRunner.RIVAL_THAT_BREAKS_THE_GPU));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> runFinal(breaking)).isInstanceOf(DeviceUnusableException.class);
            assertThatThrownBy(() -> runFinal(breaking))
                    .as("what is not begun on a broken GPU is not blamed")
                    .isInstanceOf(DeviceUnusableException.class);
            Files.delete(directory.resolve("broken"));
            assertThat(trialOfRival().outcome())
                    .as("its trial, which it must pass before each final")
                    .isEqualTo(i == 0 ? TrialOutcome.COMPLETED : TrialOutcome.QUARANTINED);
        }
    }

    private TrialResult trialOfRival() throws DeviceUnusableException {
        return device.run(trial(FakeRunner.GOOD, "text of " + FakeRunner.RIVAL_THAT_BREAKS_THE_GPU));
    }

    @Test
    void aTextThatBreaksTheGpuIsRunTwice() throws DeviceUnusableException, IOException {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> device.run(trial(FakeRunner.BREAKS_THE_GPU)))
                    .isInstanceOf(DeviceUnusableException.class);
            Files.delete(directory.resolve("broken"));
        }
        assertThat(device.run(trial(FakeRunner.BREAKS_THE_GPU)).outcome()).isEqualTo(TrialOutcome.QUARANTINED);
        assertNextTrialRuns();
    }

    @Test
    void cannotBeOpenedOnABrokenGpu() throws IOException {
        Files.writeString(directory.resolve("broken"), "");
        ScratchDirectory scratch = ScratchDirectory.create("test");

        assertThatThrownBy(() -> RunnerDevice.open("cuda:0", () -> "ptxas 13.0.88", host(), LIMITS, scratch))
                .isInstanceOf(DeviceUnusableException.class)
                .hasMessageContaining("ECC error");
        assertThat(scratch.path()).doesNotExist();
    }
}
