package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.gpu.peer.Peers;
import dev.tilewright.worker.link.runner.RunnerRequest.Entrant;
import dev.tilewright.worker.link.runner.RunnerRequest.RunFinal;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a final says of those who have reached it. */
class FinalRunnerTest extends FinalOnFakeGpu {

    private static final String CALM = "final: 5 turns, ratio of arm-fast to vendor algorithm=0 known to 0.00 %";
    private static final String ALONE = "final: 5 turns: there are no two arms whose ratio more would be for";

    @Test
    void everyArmIsTimedInBothModesAndComparedWithEachPeer() {
        FinalResult done = run(this::vendor, "fast", "slow");
        assertThat(done.arms()).hasSize(3).allSatisfy(arm -> {
            assertThat(arm.outcome()).isEqualTo(TrialOutcome.COMPLETED);
            assertThat(arm.errorRatio()).isBetween(0.01, 1.0);
            assertThat(arm.measurements()).extracting("mode").containsExactlyElementsOf(MODES);
            assertThat(arm.measurements()).extracting("stage").containsOnly(Stage.FINAL);
            boolean left = arm.name().equals("arm-slow");
            assertThat(arm.measurements()).extracting("blocks").containsExactly(left ? 3 : 5, 5);
        });
        assertThat(arm(done, "vendor algorithm=0").trialId()).isNull();
        assertThat(done.blocks())
                .hasSize(done.arms().stream()
                        .flatMap(arm -> arm.measurements().stream())
                        .mapToInt(Measurement::blocks)
                        .sum());
        assertThat(done.ratios()).hasSize(4).allSatisfy(ratio -> {
            assertThat(ratio.peer()).isEqualTo("vendor algorithm=0");
            double expected = ratio.arm().equals("arm-fast") ? 25_000 / 20_000.0 : 25_000 / 30_000.0;
            assertThat(ratio.ratio().value()).isCloseTo(expected, within(1e-9));
        });
        assertThat(done.log()).contains("libvendor 1").endsWith(CALM);
        assertThat(announced).containsExactly("reference", "load", "peers", "verify", "final", "verify");
    }

    /** A kernel whose launches take 20 us, with such a deviation of the logarithm from one to the next. */
    private void noisy(String entry, double deviation) {
        Random random = new Random(4);
        gpu.with(entry, 20_000, (any, p) -> {
            Candidate.multiply(any, p);
            gpu.durationNs.put(entry, 20_000 * Math.exp(deviation * random.nextGaussian()));
        });
    }

    @Test
    void armsThatAreNoisyGoOnUntilTheirRatioIsKnown() {
        noisy("noisy", 0.01);
        FinalResult done = run(this::vendor, "noisy", "slow");
        Matcher said = Pattern.compile(
                        "final: (\\d+) turns, ratio of arm-noisy to vendor algorithm=0 known to 0\\.\\d\\d %$")
                .matcher(done.log());
        assertThat(said.find()).as(done.log()).isTrue();
        int turns = Integer.parseInt(said.group(1));
        assertThat(turns).isBetween(6, 11);
        assertThat(done.log()).contains("arm-slow left after 3 turns: ");
        assertThat(sustained(done, "arm-noisy")).isEqualTo(turns);
        assertThat(sustained(done, "vendor algorithm=0")).isEqualTo(turns);
        assertThat(sustained(done, "arm-slow")).as("it left").isEqualTo(3);
        Report.Arm slow = arm(done, "arm-slow");
        assertThat(slow.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(slow.measurements().getFirst().ciLowNs())
                .as("and keeps its interval")
                .isNotNull();
        assertThat(done.ratios().stream()
                        .filter(ratio -> ratio.mode() == Mode.SUSTAINED)
                        .map(ratio -> ratio.ratio().blocks()))
                .containsExactly(turns, 3);
        assertThat(arm(done, "arm-noisy").measurements()).extracting("blocks").containsExactly(turns, 5);
    }

    @Test
    void noFinalHasMoreTurnsThanTheMost() {
        noisy("noisy", 0.05);
        FinalResult done = run(this::vendor, "noisy", "slow");
        assertThat(done.log())
                .containsPattern(
                        "final: 12 turns, .* known to \\d+\\.\\d\\d %; 0.5 % was asked, but no more turns are run$");
        assertThat(sustained(done, "arm-noisy")).isEqualTo(12);
    }

    /** How many sustained blocks of the final an arm has, each turn once. */
    private static int sustained(FinalResult done, String arm) {
        List<Integer> turns = done.blocks().stream()
                .filter(block ->
                        block.arm().equals(arm) && block.stage() == Stage.FINAL && block.mode() == Mode.SUSTAINED)
                .map(Report.Block::index)
                .toList();
        assertThat(turns)
                .containsExactlyElementsOf(
                        IntStream.range(0, turns.size()).boxed().toList());
        return turns.size();
    }

    @Test
    void turnsThatAreSlowedDownAgainAndAgainAreNoise() {
        noisy("noisy", 0.05);
        AtomicInteger runs = new AtomicInteger();
        gpu.with("vendor", 25_000, (any, p) -> {
            Candidate.multiply(any, p);
            runs.incrementAndGet();
        });
        // One launch to verify it, five to see how long they take, then ten in each turn: hot from the eighth turn on.
        GpuState hotter = hot(() -> runs.get() > 6 + 10 * 7 ? 0x40 : 0);
        FinalResult done = new FinalRunner(
                        Workbench.open(gpu, hotter, PLAN, this::vendor), new Phases(() -> 0, announced::add))
                .run(new RunFinal(Candidate.PROBLEM, List.of(entrant("noisy")), 1, null, List.of("vendor"), 9, MODES));
        assertThat(done.arms()).hasSize(2).allSatisfy(arm -> {
            assertThat(arm.outcome()).isEqualTo(TrialOutcome.NOISE);
            assertThat(arm.log()).contains("); 7 were undisturbed");
        });
        assertThat(done.discards().stream()
                        .filter(discard -> discard.mode() == Mode.SUSTAINED)
                        .map(Discard::index))
                .as("three turns of eight")
                .hasSizeBetween(3, 6)
                .containsOnly(7);
        assertThat(done.ratios()).isEmpty();
    }

    @Test
    void inABusyScenarioOursAndThePeersAreTimedBesideTheSameHolders() {
        FinalResult done = run(Candidate.PROBLEM.beside(new Scenario(2)), this::vendor, "fast");
        assertThat(done.log()).contains("SMs held while timed: 0, 1\n").endsWith(CALM);
        assertThat(done.ratios()).hasSize(2);
        List<String> held = gpu.history.subList(gpu.history.indexOf("hold 2"), gpu.history.indexOf("let go"));
        assertThat(held).contains("fast", "vendor").doesNotContain("compare_bf16");
        assertThat(held.stream().filter("beat"::equals))
                .as("holders were there at each block")
                .hasSizeGreaterThanOrEqualTo(done.blocks().size());
        assertThat(gpu.history.stream().filter("hold 2"::equals)).hasSize(1);
    }

    @Test
    void whereLaunchesOverlapTheyAreComparedWithSuchAlone() {
        gpu.with("anchor", 24_000, Candidate::multiply);
        Problem problem = Candidate.PROBLEM.beside(Scenario.QUIET.overlapping());
        FinalResult done = run(problem, this::vendor, 4, "anchor", "fast");
        assertThat(done.log())
                .isEqualTo("vendor is left out: its launches cannot be made to overlap\n"
                        + "final: 5 turns, ratio of arm-fast to anchor known to 0.00 %");
        assertThat(done.arms()).extracting("name").containsExactly("arm-fast");
        assertThat(done.ratios()).isEmpty();
        Measurement sustained = arm(done, "arm-fast").measurements().getFirst();
        assertThat(sustained.ratioToAnchor()).isNotNull();
        assertThat(sustained.ratioToAnchor().value()).isCloseTo(24_000 / 20_000.0, within(1e-9));
        assertThat(gpu.history)
                .contains("fast overlapping", "anchor overlapping")
                .doesNotContain("fast", "anchor", "vendor", "vendor overlapping", "compare_bf16 overlapping");
    }

    @Test
    void launchesOfAnOrdinaryProblemDoNotOverlap() {
        run(this::vendor, "fast");
        assertThat(gpu.history).contains("fast", "vendor").noneMatch(entry -> entry.endsWith(" overlapping"));
    }

    @Test
    void aPeerThatIsNotHereIsSaidAndOursAreTimedAlone() {
        FinalResult done = run((family, data) -> new PeerArms.Absent("no library"), "fast");
        assertThat(done.log()).isEqualTo("vendor is absent: no library\n" + ALONE);
        assertThat(arm(done, "arm-fast").measurements()).hasSize(2);
        assertThat(done.ratios()).isEmpty();
    }

    @Test
    void anArmWithAWrongResultHasNoTimeAndTheOthersGoOn() {
        gpu.with("wrong", 1_000, (any, p) -> any.at(p.get(2)).putShort(0, (short) 0));
        FinalResult done = run(this::vendor, "wrong", "fast");
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
        FinalResult done = run(this::vendor, "flaky");
        assertThat(arm(done, "arm-flaky").outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(arm(done, "arm-flaky").log()).contains("after timing");
        assertThat(arm(done, "arm-flaky").measurements()).isEmpty();
        assertThat(done.ratios()).isEmpty();
    }

    @Test
    void aRefusedArmFailsAlone() {
        FinalResult done = run(this::vendor, "unknown", "fast");
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
        FinalResult done = run(this::vendor, "fast", "fault");
        assertThat(arm(done, "arm-fault").outcome()).isEqualTo(TrialOutcome.CRASH);
        assertThat(arm(done, "arm-fast").outcome()).isEqualTo(TrialOutcome.INFRASTRUCTURE);
        assertThat(arm(done, "arm-fast").log()).contains("arm-fault brought down the GPU");
        assertThat(done.blocks()).isEmpty();
    }

    /** A kernel of one of our families is a peer of a bundle's: it races with the peers and not for the title. */
    @Test
    void aRivalIsAPeer() {
        Entrant rival = Entrant.rival("our-family", "our-family", Candidate.CONFIG, Candidate.kernel("slow"));
        Entrant wrong = Entrant.rival("wrong", "wrong", Candidate.CONFIG, Candidate.kernel("wrong"));
        gpu.with("wrong", 1_000, (any, p) -> {});
        FinalResult done = new FinalRunner(
                        Workbench.open(gpu, GpuState.UNKNOWN, PLAN, this::vendor), new Phases(() -> 0, announced::add))
                .run(new RunFinal(
                        Candidate.PROBLEM,
                        List.of(entrant("fast")),
                        1,
                        null,
                        List.of("vendor"),
                        List.of(rival, wrong),
                        9,
                        MODES));
        assertThat(arm(done, "our-family").trialId()).isNull();
        assertThat(arm(done, "our-family").outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(arm(done, "wrong").outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(done.ratios())
                .filteredOn(
                        ratio -> ratio.mode() == Mode.SUSTAINED && ratio.peer().equals("our-family"))
                .singleElement()
                .satisfies(ratio -> {
                    assertThat(ratio.arm()).isEqualTo("arm-fast");
                    assertThat(ratio.ratio().value()).isCloseTo(1.5, within(0.01));
                });
    }

    /** The service does not see the types of what is added, so the runner looks at the launches. */
    @Test
    void aRivalThatComputesSomethingElseIsAbsentAndSaysSo() {
        Entrant relu = Entrant.rival(
                "theirs tile=16", "theirs", Candidate.CONFIG, Candidate.rectified(Candidate.kernel("slow")));
        FinalResult done = run(Candidate.PROBLEM, this::vendor, 1, null, List.of(entrant("fast")), List.of(relu));
        assertThat(done.arms()).extracting("name").containsExactly("arm-fast", "vendor algorithm=0");
        assertThat(done.log())
                .contains("theirs tile=16 is absent: its epilogue is relu, that of the kernels that are timed none");
    }

    @Test
    void anUnknownPeerIsRefusedByName() {
        assertThatThrownBy(() -> run(Peers.installed(gpu, Map.of()), "fast"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown peer 'vendor'; known: cublaslt");
    }

    @Test
    void aGpuThatIsSlowedDownAgainAndAgainHasNoFinalButSaysWhy() {
        Workbench bench = Workbench.open(gpu, hot(() -> 0x40), PLAN, this::vendor);
        FinalResult done = new FinalRunner(bench, new Phases(() -> 0, announced::add))
                .run(new RunFinal(Candidate.PROBLEM, List.of(entrant("fast")), 1, null, List.of("vendor"), 9, MODES));
        assertThat(done.arms()).hasSize(2).allSatisfy(arm -> {
            assertThat(arm.outcome()).isEqualTo(TrialOutcome.NOISE);
            assertThat(arm.measurements()).isEmpty();
            assertThat(arm.log()).contains("); 0 were undisturbed").contains("thermal slowdown by hardware");
        });
        assertThat(done.discards()).isNotEmpty();
        assertThat(done.ratios()).isEmpty();
    }

    /** A GPU at 90 degrees with such throttle reasons. */
    private static GpuState hot(LongSupplier reasons) {
        return new GpuState() {
            @Override
            public OptionalDouble smClockMhz() {
                return OptionalDouble.of(900);
            }

            @Override
            public OptionalDouble temperatureCelsius() {
                return OptionalDouble.of(90);
            }

            @Override
            public OptionalLong throttleReasons() {
                return OptionalLong.of(reasons.getAsLong());
            }
        };
    }
}
