package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.exchange.GpuTask.Compare;
import dev.tilewright.model.exchange.GpuTask.Side;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.StopRule;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.ptx.parse.DelayedText;
import dev.tilewright.worker.gpu.cuda.GpuProcesses.Resident;
import dev.tilewright.worker.gpu.cuda.GpuProcesses.Use;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.cuda.ScriptedProcesses;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two kernels beside each other on a GPU of the test's own. */
class ComparisonRunTest extends FinalOnFakeGpu {

    private static final Side OWN = new Side.Own("sm90-gemm", Candidate.CONFIG);

    private GpuTaskResult run(Side first, Side second, boolean measureEqual, String... entries) {
        return run(Candidate.PROBLEM, first, second, measureEqual, entries);
    }

    private GpuTaskResult run(Problem problem, Side first, Side second, boolean measureEqual, String... entries) {
        return run(GpuState.UNKNOWN, new Compare(problem, first, second, measureEqual, 7), entries);
    }

    private GpuTaskResult run(GpuState state, Compare task, String... entries) {
        List<Kernel> kernels = Stream.of(entries).<Kernel>map(Candidate::kernel).toList();
        Workbench bench = Workbench.open(gpu, state, PLAN, this::vendor);
        RequestHandler.Answer answer = new GpuRequests(bench, () -> 0)
                .answer(new RunnerRequest.RunTask(task, kernels), new Phases(() -> 0, announced::add));
        GpuTaskResult result = ((RunnerReply.TaskDone) answer.reply().get()).result();
        assertThat(answer.usable()).as("whether the runner goes on").isEqualTo(!result.crashed());
        return result;
    }

    private Compared compared(Side first, Side second, boolean measureEqual, String... entries) {
        return (Compared) run(first, second, measureEqual, entries);
    }

    @Test
    void theFirstIsFasterOrSlowerThanTheSecond() {
        Compared faster = compared(OWN, OWN, false, "fast", "slow");
        assertThat(faster.verdict()).isEqualTo(CompareVerdict.FASTER);
        assertThat(faster.ratio().value()).isCloseTo(1.5, within(1e-9));
        assertThat(faster.blocks())
                .hasSize(2 * 20)
                .extracting(Report.Block::arm)
                .containsOnly("first", "second");
        double timedNs =
                faster.blocks().stream().mapToDouble(Report.Block::launchNs).sum();
        assertThat((double) faster.gpuTimesNs().get(GpuTime.BUSY))
                .as("at least what the blocks took, and what was settled and verified before")
                .isGreaterThan(timedNs);
        assertThat(faster.gpuTimesNs()).containsKey(GpuTime.SPIN_FLUSH);
        assertThat(announced).containsExactly("reference", "load", "verify", "final", "verify");
        assertThat(compared(OWN, OWN, false, "slow", "fast").verdict()).isEqualTo(CompareVerdict.SLOWER);
    }

    @Test
    void whatIsAskedBesideBusySmsIsTimedBesideThem() {
        GpuTaskResult result = run(Candidate.PROBLEM.beside(new Scenario(2)), OWN, OWN, false, "fast", "slow");
        assertThat(((Compared) result).verdict()).isEqualTo(CompareVerdict.FASTER);
        int held = gpu.history.indexOf("hold 2");
        assertThat(gpu.history.subList(held, gpu.history.indexOf("let go"))).contains("fast", "slow");
        assertThat(gpu.history.subList(0, held))
                .as("each ran before, to be verified")
                .contains("fast", "slow");
    }

    /** Of two blocks the second has the order of the first, mirrored. */
    @Test
    void blocksAreMirroredInPairs() {
        List<Report.Block> blocks = compared(OWN, OWN, false, "fast", "slow").blocks();
        for (int pair = 0; pair < 5; pair++) {
            int first = 2 * pair;
            assertThat(position(blocks, first, "first"))
                    .as("pair %d", pair)
                    .isEqualTo(1 - position(blocks, first + 1, "first"));
        }
    }

    private static int position(List<Report.Block> blocks, int index, String arm) {
        return blocks.stream()
                .filter(block -> block.index() == index && block.arm().equals(arm))
                .findFirst()
                .orElseThrow()
                .position();
    }

    @Test
    void kernelsWithOneModuleAndLaunchAreNotTimed() {
        Compared equal = compared(OWN, OWN, false, "fast", "fast");
        assertThat(equal.verdict()).isEqualTo(CompareVerdict.EQUAL);
        assertThat(equal.ratio()).isNull();
        assertThat(equal.blocks()).isEmpty();
        assertThat(announced).isEmpty();
    }

    @Test
    void equalKernelsAreTimedIfThatIsAskedFor() {
        Compared equal = compared(OWN, OWN, true, "fast", "fast");
        assertThat(equal.verdict()).isEqualTo(CompareVerdict.SAME);
        assertThat(equal.ratio().value()).isCloseTo(1, within(1e-9));
    }

    private static Side slowedBy(double by) {
        return new Side.Own("sm90-gemm", Candidate.CONFIG, by);
    }

    /** A kernel of 20 us whose wait costs so many nanoseconds a step, but never less than some. */
    private void waiting(double nsPerStep, double leastNs) {
        gpu.with(
                "waiting",
                DelayedText.VARIABLE,
                steps -> 20_000 + Math.max(leastNs, nsPerStep * steps),
                Candidate::multiply);
    }

    @Test
    void theWaitIsSetBeforeTheBlocksAndTheFirstIsFasterThanItsTwin() {
        waiting(1, 100);
        Compared slowed = compared(OWN, slowedBy(0.01), false, "waiting", "waiting");
        assertThat(slowed.verdict()).isEqualTo(CompareVerdict.FASTER);
        assertThat(slowed.ratio().value()).isCloseTo(1.01, within(1e-3));
        assertThat(slowed.first().slowed()).isNull();
        assertThat(slowed.second().slowed().longer().value()).isCloseTo(1.01, within(1e-3));
        assertThat(slowed.second().slowed().steps()).isBetween(280L, 320L);
        assertThat(slowed.blocks())
                .as("those of the calibration do not count")
                .hasSize(2 * 20)
                .extracting(Report.Block::arm)
                .containsOnly("first", "second");
        assertThat(announced).containsExactly("reference", "load", "verify", "calibrate", "final", "verify");
        assertThat(compared(slowedBy(0.01), OWN, false, "waiting", "waiting").verdict())
                .isEqualTo(CompareVerdict.SLOWER);
    }

    /**
     * Whatever a cycle costs: CTAs that wait beside each other, or behind each other in more waves than was thought.
     */
    @ParameterizedTest
    @CsvSource({"0.05, 0.01", "0.2, 0.2", "2, 0.01", "10, 0.5"})
    void theWaitIsCorrectedByWhatItDoes(double nsPerCycle, double by) {
        waiting(nsPerCycle, 50);
        Compared slowed = compared(OWN, slowedBy(by), false, "waiting", "waiting");
        assertThat(slowed.verdict()).isEqualTo(CompareVerdict.FASTER);
        assertThat(slowed.ratio().value() - 1).isCloseTo(by, within(Slowing.TOLERANCE * by));
    }

    @Test
    void aWaitThatCannotBeShortEnoughOrDoesNothingIsAFailure() {
        waiting(1, 700);
        assertThat(run(OWN, slowedBy(0.01), false, "waiting", "waiting"))
                .isInstanceOfSatisfying(
                        GpuTaskResult.Failed.class,
                        failed -> assertThat(failed.reason())
                                .startsWith("second could not be slowed by 1.00 %: a wait of ")
                                .contains("steps makes a launch 0.000 % longer"));
        waiting(0, 0);
        assertThat(run(OWN, slowedBy(0.01), false, "waiting", "waiting"))
                .isInstanceOfSatisfying(
                        GpuTaskResult.Failed.class,
                        failed -> assertThat(failed.reason()).contains("makes a launch 0.000 % longer"));
    }

    @Test
    void aWaitThatIsKnownIsNotLookedFor() {
        waiting(1, 100);
        Side known = new Side.Own("sm90-gemm", Candidate.CONFIG, 0.01, 400L);
        Compared slowed = compared(known, OWN, false, "waiting", "waiting");
        assertThat(slowed.verdict()).isEqualTo(CompareVerdict.SLOWER);
        // 400 cycles are 300 more than reading takes, of 20,100.
        assertThat(1 / slowed.ratio().value()).isCloseTo(1 + 300.0 / 20_100, within(1e-3));
        assertThat(slowed.first().slowed()).isEqualTo(new GpuTaskResult.Slowdown(400, null));
        assertThat(announced).doesNotContain("calibrate");
        assertThat(gpu.loaded).filteredOn("waiting"::equals).hasSize(2);
    }

    @Test
    void asManyBlocksAreTimedAsTheRuleOfTheTaskWants() {
        StopRule rule = new StopRule(List.of(14), List.of(0.0), 0.01, 0.01);
        Compared timed = (Compared) run(
                GpuState.UNKNOWN,
                new Compare(Candidate.PROBLEM, OWN, OWN, true, 7, rule, false, false, List.of()),
                "slow",
                "fast");
        assertThat(timed.blocks()).hasSize(2 * 14);
        assertThat(timed.verdict()).isEqualTo(CompareVerdict.SLOWER);
        assertThat(timed.gpu()).isEqualTo(gpu.info().uuid());
        assertThat(timed.doubts()).isEmpty();
    }

    private static final Resident OTHER = new Resident(Long.MAX_VALUE, "python3", 1L << 20);

    @Test
    void anotherProcessIsADoubtWhereNobodyCanSayWhetherItComputes() {
        ScriptedProcesses shared = new ScriptedProcesses();
        shared.samples = false;
        shared.residents.add(OTHER);
        Compared timed = (Compared) run(shared, new Compare(Candidate.PROBLEM, OWN, OWN, false, 7), "fast", "slow");
        assertThat(timed.doubts()).containsExactly("2 processes have a context on the GPU");
        assertThat(timed.blocks()).isNotEmpty();
    }

    @Test
    void anotherProcessThatOnlyHoldsMemoryIsNamedAndNoDoubt() {
        ScriptedProcesses shared = new ScriptedProcesses();
        shared.residents.add(OTHER);
        Compared timed = (Compared) run(shared, new Compare(Candidate.PROBLEM, OWN, OWN, false, 7), "fast", "slow");
        assertThat(timed.verdict()).isEqualTo(CompareVerdict.FASTER);
        assertThat(timed.doubts()).isEmpty();
        assertThat(timed.neighbours())
                .containsExactly(
                        "process " + OTHER.pid() + " (python3) is on the GPU too and holds 1 MiB of its memory");
    }

    @Test
    void besideAProcessThatComputesThereIsNoVerdict() {
        ScriptedProcesses busy = new ScriptedProcesses();
        busy.residents.add(OTHER);
        busy.used.add(new Use(OTHER.pid(), 40));
        Compared timed = (Compared) run(busy, new Compare(Candidate.PROBLEM, OWN, OWN, false, 7), "fast", "slow");
        assertThat(timed.verdict()).isEqualTo(CompareVerdict.INCONCLUSIVE);
        assertThat(timed.ratio()).isNull();
        assertThat(timed.doubts())
                .containsExactly(
                        "more than a fifth of the blocks had to be discarded",
                        "process " + OTHER.pid() + " (python3) computed on the GPU too");
    }

    /** The power cap (0x4) is how a GPU at factory clocks works. */
    @ParameterizedTest
    @CsvSource({"0x8, true", "0x20, true", "0x40, true", "0x80, true", "0x4, false", "0x0, false"})
    void blocksOfAThrottledGpuDoNotCount(String bits, boolean throttled) {
        GpuState state = new GpuState() {
            @Override
            public OptionalLong throttleReasons() {
                return OptionalLong.of(Long.decode(bits));
            }
        };
        Compared timed = (Compared) run(state, new Compare(Candidate.PROBLEM, OWN, OWN, false, 7), "fast", "slow");
        assertThat(timed.verdict()).isEqualTo(throttled ? CompareVerdict.INCONCLUSIVE : CompareVerdict.FASTER);
        assertThat(timed.blocks().isEmpty()).isEqualTo(throttled);
        assertThat(timed.discards().isEmpty()).isEqualTo(!throttled);
        if (throttled) {
            assertThat(timed.doubts()).containsExactly("more than a fifth of the blocks had to be discarded");
        }
    }

    @Test
    void aTwinWithoutAWaitOrWithAnotherResultIsInvalid() {
        Compared without = compared(OWN, slowedBy(0.01), false, "waiting", "slow");
        assertThat(without.verdict()).isEqualTo(CompareVerdict.INVALID);
        assertThat(without.second().log()).contains("cuModuleGetGlobal(tilewright_delay)");
        gpu.with("waiting", DelayedText.VARIABLE, steps -> 20_000 + steps, (any, p) -> {});
        assertThat(compared(OWN, slowedBy(0.01), false, "waiting", "waiting").verdict())
                .isEqualTo(CompareVerdict.INVALID);
    }

    /** The text of the twin runs once without its wait, to be verified: that run is the second. */
    @Test
    void aTwinWhosePlainKernelFailsHasFailedToo() {
        AtomicInteger runs = new AtomicInteger();
        gpu.with("waiting", DelayedText.VARIABLE, steps -> 20_000 + steps, (any, p) -> {
            if (runs.incrementAndGet() != 2) {
                Candidate.multiply(any, p);
            }
        });
        Compared wrong = compared(OWN, slowedBy(0.01), false, "fast", "waiting");
        assertThat(wrong.verdict()).isEqualTo(CompareVerdict.INVALID);
        assertThat(wrong.first().outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(wrong.second().outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(wrong.second().log()).startsWith("second without the wait: result before timing: ");

        runs.set(0);
        gpu.with("waiting", DelayedText.VARIABLE, steps -> 20_000 + steps, (any, p) -> {
            if (runs.incrementAndGet() == 2) {
                any.fault();
            }
            Candidate.multiply(any, p);
        });
        // The helper looks whether the runner goes on.
        Compared crashed = compared(OWN, slowedBy(0.01), false, "fast", "waiting");
        assertThat(crashed.second().outcome()).isEqualTo(TrialOutcome.CRASH);
    }

    /** A hundred-thousandth of 20 us is less than half a step. */
    @Test
    void theShortestWaitIsOfOneStep() {
        waiting(0.2, 0);
        Compared slowed = compared(OWN, slowedBy(0.000_01), false, "waiting", "waiting");
        assertThat(slowed.second().slowed().steps()).isEqualTo(1);
        waiting(1, 0);
        assertThat(((GpuTaskResult.Failed) run(OWN, slowedBy(0.000_01), false, "waiting", "waiting")).reason())
                .contains(": a wait of 1 steps makes a launch 0.005 % longer")
                .as("it is tried once")
                .doesNotContain(";");
    }

    /** 30 steps are too few and ask for 34, which are too many and ask for 30. */
    @Test
    void betweenTwoNumbersOfStepsThatAskForEachOtherIsAnother() {
        gpu.with(
                "waiting",
                DelayedText.VARIABLE,
                steps -> 20_000 + (steps <= 30 ? steps * 176 / 30.0 : 176 + (steps - 30) * 12.5),
                Candidate::multiply);
        Compared slowed = compared(OWN, slowedBy(0.01), false, "waiting", "waiting");
        assertThat(slowed.second().slowed().steps()).isEqualTo(32);
    }

    /** Of 20 us a step is 0.3 %: one is too few for half a percent, and two are a fifth too many. */
    @Test
    void whereNoNumberOfStepsDoesItTheNearestIsTaken() {
        waiting(60, 0);
        Compared slowed = compared(OWN, slowedBy(0.005), false, "waiting", "waiting");
        assertThat(slowed.second().slowed().steps()).isEqualTo(2);
        assertThat(slowed.ratio().value()).isCloseTo(1.006, within(1e-6));
        waiting(80, 0);
        assertThat(((GpuTaskResult.Failed) run(OWN, slowedBy(0.002), false, "waiting", "waiting")).reason())
                .as("one is twice too many")
                .contains("a wait of 1 steps makes a launch 0.400 % longer");
    }

    @Test
    void aTwinBesideAPeer() {
        waiting(1, 100);
        Compared beside = compared(slowedBy(0.1), new Side.OfPeer("vendor", null), false, "waiting");
        assertThat(beside.verdict()).isEqualTo(CompareVerdict.FASTER);
        assertThat(beside.ratio().value()).isCloseTo(25.0 / 22, within(0.02));
    }

    @Test
    void kernelsThatComputeDifferentThingsAreNotCompared() {
        Workbench bench = Workbench.open(gpu, GpuState.UNKNOWN, PLAN, this::vendor);
        GpuTaskResult result = new ComparisonRun(bench, new Phases(() -> 0, announced::add))
                .run(
                        new Compare(Candidate.PROBLEM, OWN, OWN, false, 7),
                        List.of(Candidate.kernel("fast"), Candidate.rectified(Candidate.kernel("slow"))));
        assertThat(result)
                .isEqualTo(new GpuTaskResult.Failed(
                        "the kernels compute different things: their epilogues are none, and relu"));
        assertThat(announced).isEmpty();
    }

    @Test
    void aPeerIsOneSide() {
        Compared beside = compared(OWN, new Side.OfPeer("vendor", null), false, "fast");
        assertThat(beside.verdict()).isEqualTo(CompareVerdict.FASTER);
        assertThat(beside.ratio().value()).isCloseTo(1.25, within(1e-9));
        assertThat(beside.second().name()).isEqualTo("vendor algorithm=0");
        assertThat(compared(new Side.OfPeer("vendor", "0"), OWN, false, "fast").verdict())
                .isEqualTo(CompareVerdict.SLOWER);
    }

    @Test
    void anAlgorithmThatAPeerLacksIsNamed() {
        GpuTaskResult failed = run(OWN, new Side.OfPeer("vendor", "9"), false, "fast");
        assertThat(failed)
                .isEqualTo(
                        new GpuTaskResult.Failed(
                                "vendor: libvendor 1, 1 arms; vendor has no algorithm '9' for this problem; it has vendor algorithm=0"));
    }

    @Test
    void aWrongKernelIsInvalidHoweverFast() {
        gpu.with("wrong", 1_000, (any, p) -> {});
        Compared invalid = compared(OWN, OWN, false, "wrong", "slow");
        assertThat(invalid.verdict()).isEqualTo(CompareVerdict.INVALID);
        assertThat(invalid.ratio()).isNull();
        assertThat(invalid.first().outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(invalid.second().outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(invalid.blocks()).isEmpty();
    }
}
