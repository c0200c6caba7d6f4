package dev.tilewright.worker.agent.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.space.families.Families;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.agent.runner.Launches;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(30)
class RequiredCheckTest {

    private static final Problem PROBLEM = Problem.of(new ProblemShape(2056, 1024, 776), DataType.BF16);
    private static final Families FAMILIES = Families.standard();
    private static final String TEXT = Sha256.hex("a text");

    private final StoreInMemory store = new StoreInMemory();
    private ProofPool pool = new ProofPool(_ -> FakeEmulator.saying(Verdict.PROVED), 1);

    @AfterEach
    void close() {
        pool.close();
    }

    private RequiredCheck check(FakeEmulator emulator) {
        return check(emulator, FakeEmulator.BUILD);
    }

    private RequiredCheck check(FakeEmulator emulator, String build) {
        pool.close();
        pool = new ProofPool(_ -> emulator, 1);
        return new RequiredCheck(FAMILIES, store, pool, build, Runnable::run);
    }

    private static PreparedTrial trial(String text, int rasterGroup) {
        Config config = Config.parse("clusterM=2 clusterN=1 consumers=1 epilogueN=32 gridSize=132 "
                + "loadStages=3 mode=cooperative multicast=none rasterOrder=alongM "
                + "registers=0 scheduler=static swizzle=64 tileK=64 tileM=128 tileN=176 "
                + "waitDepth=1 "
                + "rasterGroup=" + rasterGroup);
        LaunchDescription launch = Launches.of(132, 384, 1);
        return new PreparedTrial("sm90-gemm", PROBLEM, config, new PreparedKernel.Built(launch, null, text), null, 7);
    }

    private static Checked checked(Verdict verdict) {
        return FakeEmulator.checked(verdict).asked(PROBLEM.shape());
    }

    private static TrialOutcome stopped(Ruling ruling) {
        return ((Ruling.Stopped) ruling).outcome();
    }

    @Test
    void aTextIsProvedOnceAndKept() {
        FakeEmulator emulator = FakeEmulator.saying(Verdict.PROVED);
        RequiredCheck check = check(emulator);
        assertThat(check.check(trial(TEXT, 4)).join()).isEqualTo(new Ruling.Passed(checked(Verdict.PROVED)));
        assertThat(check.check(trial(TEXT, 8)).join())
                .isEqualTo(new Ruling.Passed(checked(Verdict.PROVED).fromCache()));
        assertThat(emulator.seen()).hasSize(1);
        check.check(trial(Sha256.hex("another text"), 4)).join();
        assertThat(emulator.seen()).hasSize(2);
    }

    @Test
    void whatMayBreakARuleIsAskedAndKeptByItself() {
        FakeEmulator emulator = FakeEmulator.saying(Verdict.PROVED);
        RequiredCheck check = check(emulator);
        PreparedTrial held = trial(TEXT, 4);
        PreparedTrial free = new PreparedTrial(
                held.family(),
                held.problem(),
                held.config(),
                held.kernel(),
                null,
                null,
                held.seed(),
                List.of("relaxed-exit-barrier"));
        check.check(held).join();
        assertThat(check.check(free).join()).isEqualTo(new Ruling.Passed(checked(Verdict.PROVED)));
        assertThat(emulator.seen())
                .extracting(PreparedTrial::accept)
                .containsExactly(List.of(), List.of("relaxed-exit-barrier"));
        assertThat(check.check(free).join())
                .isEqualTo(new Ruling.Passed(checked(Verdict.PROVED).fromCache()));
    }

    @Test
    void configsThatShareATextShareItsCheckWhileItIsMade() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        FakeEmulator emulator = new FakeEmulator(trial -> {
            begun.countDown();
            try {
                go.await();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
            return FakeEmulator.result(FakeEmulator.checked(Verdict.PROVED));
        });
        RequiredCheck check = check(emulator);
        CompletableFuture<Ruling> first = check.check(trial(TEXT, 4));
        begun.await();
        CompletableFuture<Ruling> second = check.check(trial(TEXT, 8));
        // Who gives up does not take the check away from the other.
        first.cancel(false);
        go.countDown();
        assertThat(second.join()).isInstanceOf(Ruling.Passed.class);
        assertThat(emulator.seen()).hasSize(1);
    }

    @Test
    void theLaunchFillsTheEmulatedGpu() {
        FakeEmulator emulator = FakeEmulator.saying(Verdict.PROVED);
        check(emulator).check(trial(TEXT, 8)).join();
        Config run = emulator.seen().getFirst().config();
        assertThat(run.whole("gridSize")).isZero();
        assertThat(run.whole("rasterGroup")).isEqualTo(8);
        assertThat(emulator.seen().getFirst().seed()).isEqualTo(7);
    }

    @Test
    void aSmallProblemIsNoReasonForAShallowProof() {
        FakeEmulator emulator = FakeEmulator.saying(Verdict.PROVED);
        Ruling.Passed passed =
                (Ruling.Passed) check(emulator).check(trial(TEXT, 8)).join();
        ProblemShape asked = PROBLEM.shape();
        ProblemShape run = emulator.seen().getFirst().problem().shape();
        assertThat(run.m()).isGreaterThan(asked.m() + 1000);
        assertThat(run.n()).isGreaterThan(asked.n() + 1000);
        assertThat(run.k()).isGreaterThan(asked.k() + 1000);
        assertThat(run.m() % 256).isEqualTo(asked.m() % 256);
        assertThat(run.n() % 176).isEqualTo(asked.n() % 176);
        assertThat(run.k() % 64).isEqualTo(asked.k() % 64);
        assertThat(passed.checked().shape()).isEqualTo(asked);
    }

    @Test
    void aRefutedTextIsStoppedWithItsFindingEachTime() {
        FakeEmulator emulator = FakeEmulator.saying(Verdict.REFUTED);
        RequiredCheck check = check(emulator);
        Ruling.Stopped first = (Ruling.Stopped) check.check(trial(TEXT, 4)).join();
        assertThat(first.outcome()).isEqualTo(TrialOutcome.HAZARD);
        assertThat(first.log()).isEqualTo("not run, the check says: refuted\nfinding: refuted");
        Ruling.Stopped again = (Ruling.Stopped) check.check(trial(TEXT, 4)).join();
        assertThat(again.outcome()).isEqualTo(TrialOutcome.HAZARD);
        assertThat(again.checked().cached()).isTrue();
        assertThat(again.log()).isEqualTo("not run, the check says from an earlier run: refuted\nfinding: refuted");
        assertThat(emulator.seen()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Verdict.class,
            names = {"SHALLOW", "UNSUPPORTED"})
    void whatSettlesNothingStopsAndIsAskedAgain(Verdict verdict) {
        FakeEmulator emulator = FakeEmulator.saying(verdict);
        RequiredCheck check = check(emulator);
        for (int time = 1; time <= 2; time++) {
            assertThat(stopped(check.check(trial(TEXT, 4)).join()))
                    .isEqualTo(FakeEmulator.checked(verdict).outcome());
            assertThat(emulator.seen()).hasSize(time);
        }
        assertThat(store.of(TEXT)).isEmpty();
    }

    @Test
    void anotherBuildOfTheEmulatorChecksAgain() {
        FakeEmulator emulator = FakeEmulator.saying(Verdict.PROVED);
        check(emulator).check(trial(TEXT, 4)).join();
        check(emulator, Sha256.hex("a newer build")).check(trial(TEXT, 4)).join();
        assertThat(emulator.seen()).hasSize(2);
    }

    @Test
    void aStoreThatIsAwayCostsTimeAlone() {
        store.goAway();
        FakeEmulator emulator = FakeEmulator.saying(Verdict.PROVED);
        RequiredCheck check = check(emulator);
        for (int time = 1; time <= 2; time++) {
            assertThat(check.check(trial(TEXT, 4)).join()).isInstanceOf(Ruling.Passed.class);
            assertThat(emulator.seen()).hasSize(time);
        }
    }

    @Test
    void aRefutationThatAnotherWorkerFoundMeanwhileHolds() {
        FakeEmulator emulator = new FakeEmulator(trial -> {
            try {
                store.keep(TEXT, FakeEmulator.checked(Verdict.REFUTED));
            } catch (java.io.IOException away) {
                throw new IllegalStateException(away);
            }
            return FakeEmulator.result(FakeEmulator.checked(Verdict.PROVED));
        });
        assertThat(stopped(check(emulator).check(trial(TEXT, 4)).join())).isEqualTo(TrialOutcome.HAZARD);
    }

    @Test
    void withoutAVerdictNothingRunsAndNothingIsKept() {
        FakeEmulator emulator =
                new FakeEmulator(trial -> TrialResult.failed(TrialOutcome.TIMEOUT, "killed after 900.0 s"));
        Ruling.Stopped stopped =
                (Ruling.Stopped) check(emulator).check(trial(TEXT, 4)).join();
        assertThat(stopped)
                .isEqualTo(new Ruling.Stopped(
                        TrialOutcome.TIMEOUT, null, "the check came to no verdict\nkilled after 900.0 s"));
        assertThat(store.of(TEXT)).isEmpty();
    }

    @Test
    void anEmulatorThatCannotBeHadIsNotBlamedOnTheConfig() {
        pool.close();
        pool = new ProofPool(
                _ -> {
                    throw new DeviceUnusableException("no temporary directory");
                },
                1);
        RequiredCheck check = new RequiredCheck(FAMILIES, store, pool, FakeEmulator.BUILD, Runnable::run);
        Ruling.Stopped stopped = (Ruling.Stopped) check.check(trial(TEXT, 4)).join();
        assertThat(stopped.outcome()).isEqualTo(TrialOutcome.INFRASTRUCTURE);
        assertThat(stopped.log()).contains("the emulator cannot be used: no temporary directory");
    }

    /** Four SMs hold no cluster of eight. */
    @Test
    void aClusterOfEightIsProvedOnEightSms() {
        pool.close();
        List<Integer> opened = new ArrayList<>();
        pool = new ProofPool(
                sms -> {
                    opened.add(sms);
                    return FakeEmulator.saying(Verdict.PROVED);
                },
                1);
        PreparedTrial two = trial(TEXT, 4);
        PreparedTrial eight = new PreparedTrial(
                two.family(),
                two.problem(),
                two.config().with("clusterN", ParameterValue.of(4)),
                new PreparedKernel.Built(((PreparedKernel.Built) two.kernel()).launch(), null, Sha256.hex("of eight")),
                null,
                two.seed());
        RequiredCheck check = new RequiredCheck(FAMILIES, store, pool, FakeEmulator.BUILD, Runnable::run);
        assertThat(check.check(two).join()).isInstanceOf(Ruling.Passed.class);
        assertThat(check.check(eight).join()).isInstanceOf(Ruling.Passed.class);
        assertThat(opened).containsExactly(4, 8);
    }

    @Test
    void aClosedPoolEndsItsDevicesAndTakesNothingMore() {
        FakeEmulator emulator = FakeEmulator.saying(Verdict.PROVED);
        RequiredCheck check = check(emulator);
        check.check(trial(TEXT, 4)).join();
        check.close();
        assertThat(emulator.isClosed()).isTrue();
        assertThat(stopped(check.check(trial(Sha256.hex("late"), 4)).join())).isEqualTo(TrialOutcome.INFRASTRUCTURE);
        assertThat(emulator.seen()).hasSize(1);
    }

    @Test
    void halfOfTheCoresProve() {
        assertThat(ProofPool.sizeFor(1)).isEqualTo(1);
        assertThat(ProofPool.sizeFor(6)).isEqualTo(3);
        assertThat(ProofPool.sizeFor(64)).isEqualTo(8);
    }
}
