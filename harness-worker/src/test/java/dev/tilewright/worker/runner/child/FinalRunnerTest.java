package dev.tilewright.worker.runner.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.device.cuda.FakeGpu;
import dev.tilewright.worker.device.cuda.GpuState;
import dev.tilewright.worker.measure.RacePlan;
import dev.tilewright.worker.measure.SettleRule;
import dev.tilewright.worker.measure.TimingPlan;
import dev.tilewright.worker.peer.PeerArm;
import dev.tilewright.worker.peer.PeerArms;
import dev.tilewright.worker.peer.Peers;
import dev.tilewright.worker.runner.link.Kernel;
import dev.tilewright.worker.runner.link.RunnerReply.FinalDone;
import dev.tilewright.worker.runner.link.RunnerRequest.Entrant;
import dev.tilewright.worker.runner.link.RunnerRequest.RunFinal;
import dev.tilewright.worker.stats.TwoStage;
import dev.tilewright.worker.verify.TestData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FinalRunnerTest {

    private static final TimingPlan PLAN = new TimingPlan(
            5,
            3,
            50_000,
            100_000,
            100_000,
            5,
            new TwoStage(0.005, 12),
            2,
            new SettleRule(100_000, 100_000, 200_000, 0.02, 0.02),
            new RacePlan(2, 4, 0.07, 0.05),
            new RacePlan(2, 3, 0, 0.05));
    private static final List<Mode> MODES = List.of(Mode.SUSTAINED, Mode.COLD);
    private static final String CALM =
            "5 turns gave the ratio of arm-fast to vendor algorithm=0 within +-0.00 %: no more for 0.5 %";
    private static final String ALONE = "no second stage: there are no two arms whose ratio it would be for";

    private final FakeGpu gpu = new FakeGpu()
            .with("fast", 20_000, Candidate::multiply)
            .with("slow", 30_000, Candidate::multiply)
            .with("vendor", 25_000, Candidate::multiply);
    private final List<String> announced = new ArrayList<>();

    private FinalDone run(Peers peers, String... entries) {
        return run(peers, 4, null, entries);
    }

    private FinalDone run(Problem problem, Peers peers, String... entries) {
        return run(problem, peers, 4, null, entries);
    }

    private FinalDone run(Peers peers, int finalists, @Nullable String anchor, String... entries) {
        return run(Candidate.PROBLEM, peers, finalists, anchor, entries);
    }

    private FinalDone run(Problem problem, Peers peers, int finalists, @Nullable String anchor, String... entries) {
        List<Entrant> entrants = new ArrayList<>();
        for (String entry : entries) {
            entrants.add(entrant(entry, entrants.size(), kernel(problem, entry)));
        }
        return run(problem, peers, finalists, anchor, entrants);
    }

    private FinalDone run(
            Problem problem, Peers peers, int finalists, @Nullable String anchor, List<Entrant> entrants) {
        Workbench bench = Workbench.open(gpu, GpuState.UNKNOWN, PLAN, peers);
        return new FinalRunner(bench, new Phases(() -> 0, announced::add))
                .run(new RunFinal(
                        problem,
                        entrants,
                        finalists,
                        anchor == null ? null : kernel(problem, anchor),
                        List.of("vendor"),
                        9,
                        MODES));
    }

    private static Kernel kernel(Problem problem, String entry) {
        Kernel kernel = Candidate.kernel(entry);
        return problem.scenario().launchOverlap() ? Candidate.overlapping(kernel) : kernel;
    }

    /** A peer with one kernel. */
    private PeerArms vendor(String family, TestData data) {
        return vendors(family, data, "vendor");
    }

    /** A peer with such kernels, the first being its own choice. */
    private PeerArms vendors(String family, TestData data, String... entries) {
        List<PeerArm> arms = new ArrayList<>();
        List<LoadedKernel> kernels = new ArrayList<>();
        for (int i = 0; i < entries.length; i++) {
            LoadedKernel kernel = LoadedKernel.load(gpu, "vendor algorithm=" + i, Candidate.kernel(entries[i]), data);
            kernels.add(kernel);
            arms.add(new PeerArm(family, Config.of(Map.of("algorithm", ParameterValue.of(i))), kernel));
        }
        return new PeerArms.Found("libvendor 1", arms, () -> kernels.forEach(LoadedKernel::close));
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
        assertThat(done.log()).contains("libvendor 1").endsWith(CALM);
        assertThat(announced).containsExactly("reference", "load", "verify", "final", "verify");
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
    void armsThatAreNoisyGoOnForAsManyTurnsAsTheirRatioNeeds() {
        noisy("noisy", 0.01);
        FinalDone done = run(this::vendor, "noisy", "slow");
        Matcher said = Pattern.compile("5 turns gave the ratio of arm-noisy to vendor algorithm=0"
                        + " within \\+-0\\.\\d\\d %: (\\d+) more for 0\\.5 %")
                .matcher(done.log());
        assertThat(said.find()).as(done.log()).isTrue();
        int turns = 5 + Integer.parseInt(said.group(1));
        assertThat(turns).isBetween(6, 11);
        assertTurns(done, turns);
    }

    @Test
    void noFinalHasMoreTurnsThanTheMost() {
        noisy("noisy", 0.05);
        FinalDone done = run(this::vendor, "noisy", "slow");
        assertThat(done.log())
                .containsPattern("within \\+-\\d+.\\d\\d %: 7 more, the most there may be; 0.5 % would take \\d+");
        assertTurns(done, 12);
    }

    /** Every arm has so many sustained blocks, and five cold ones. */
    private static void assertTurns(FinalDone done, int sustained) {
        assertThat(done.arms()).allSatisfy(arm -> {
            assertThat(arm.measurements()).extracting("mode").containsExactlyElementsOf(MODES);
            assertThat(arm.measurements()).extracting("blocks").containsExactly(sustained, 5);
            assertThat(done.blocks().stream()
                            .filter(block -> block.arm().equals(arm.name()) && block.mode() == Mode.SUSTAINED)
                            .map(Report.Block::index))
                    .containsExactlyElementsOf(
                            IntStream.range(0, sustained).boxed().toList());
        });
        assertThat(done.ratios())
                .isNotEmpty()
                .allSatisfy(ratio ->
                        assertThat(ratio.ratio().blocks()).isEqualTo(ratio.mode() == Mode.SUSTAINED ? sustained : 5));
    }

    @Test
    void aSecondStageThatIsSlowedDownAgainAndAgainIsNoise() {
        noisy("noisy", 0.05);
        AtomicInteger runs = new AtomicInteger();
        gpu.with("vendor", 25_000, (any, p) -> {
            Candidate.multiply(any, p);
            runs.incrementAndGet();
        });
        // One launch to verify it, five to see how long they take, then ten in each turn: hot from the eighth turn on.
        GpuState hotter = hot(() -> runs.get() > 6 + 10 * 7 ? 0x40 : 0);
        FinalDone done = new FinalRunner(
                        Workbench.open(gpu, hotter, PLAN, this::vendor), new Phases(() -> 0, announced::add))
                .run(new RunFinal(Candidate.PROBLEM, List.of(entrant("noisy")), 1, null, List.of("vendor"), 9, MODES));
        assertThat(done.log()).contains("7 more");
        assertThat(done.arms()).hasSize(2).allSatisfy(arm -> {
            assertThat(arm.outcome()).isEqualTo(TrialOutcome.NOISE);
            assertThat(arm.log()).contains("only 7 undisturbed sustained blocks");
        });
        assertThat(done.discards().stream()
                        .filter(discard -> discard.mode() == Mode.SUSTAINED)
                        .map(Discard::index))
                .as("four turns of twelve")
                .hasSizeBetween(4, 8)
                .containsOnly(7);
        assertThat(done.ratios()).isEmpty();
    }

    @Test
    void inABusyScenarioOursAndThePeersAreTimedBesideTheSameHolders() {
        FinalDone done = run(Candidate.PROBLEM.beside(new Scenario(2)), this::vendor, "fast");
        assertThat(done.log()).contains("SMs held while timed: 0, 1\n").endsWith(CALM);
        assertThat(done.ratios()).hasSize(2);
        List<String> held = gpu.history.subList(gpu.history.indexOf("hold 2"), gpu.history.indexOf("let go"));
        assertThat(held).contains("fast", "vendor").doesNotContain("compare_bf16");
        // Sustained turns settle and are timed; a cold turn is one run; each arm is tried once before.
        assertThat(held.stream().filter("beat"::equals)).hasSize(2 + 5 * 2 * 2 + 5 * 2);
        assertThat(gpu.history.stream().filter("hold 2"::equals)).hasSize(1);
    }

    @Test
    void whereLaunchesOverlapTheyAreComparedWithSuchAlone() {
        gpu.with("anchor", 24_000, Candidate::multiply);
        Problem problem = Candidate.PROBLEM.beside(Scenario.QUIET.overlapping());
        FinalDone done = run(problem, this::vendor, 4, "anchor", "fast");
        assertThat(done.log()).isEqualTo("vendor is left out: its launches cannot be made to overlap\n" + ALONE);
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
        FinalDone done = run((family, data) -> new PeerArms.Absent("no library"), "fast");
        assertThat(done.log()).isEqualTo("vendor is absent: no library\n" + ALONE);
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

    @Test
    void moreThanMayReachTheFinalRaceForIt() {
        gpu.with("far", 40_000, Candidate::multiply).with("close", 20_400, Candidate::multiply);
        FinalDone done = run(this::vendor, 1, "slow", "far", "close", "fast", "slow");
        assertThat(announced).containsExactly("reference", "load", "verify", "contend", "contend", "final", "verify");
        assertThat(done.arms()).extracting("outcome").containsOnly(TrialOutcome.COMPLETED);
        assertThat(stages(done, "arm-fast")).containsExactly(Stage.CONTEND, Stage.FINAL, Stage.FINAL);
        assertThat(stages(done, "arm-close")).containsExactly(Stage.CONTEND);
        assertThat(stages(done, "arm-far")).containsExactly(Stage.CONTEND);
        assertThat(stages(done, "vendor algorithm=0")).containsExactly(Stage.FINAL, Stage.FINAL);
        assertThat(done.ratios()).extracting("arm").containsOnly("arm-fast");
        assertThat(questions(done, "arm-far"))
                .as("it is left behind at the same clock")
                .containsOnly(Question.SAME_CLOCK);
        assertThat(questions(done, "arm-close"))
                .as("it is within the margin, and races on in steady state")
                .contains(Question.SAME_CLOCK, Question.STEADY_STATE);
        assertThat(done.log())
                .contains("look 1: arm-far leaves, at least 100.00 % slower than arm-fast")
                .contains("look 1: arm-close leaves, at least 2.00 % slower than arm-fast");
        assertThat(done.blocks()).extracting("arm").contains("arm-slow").doesNotContain("anchor");
        assertThat(ratioToAnchor(done, "arm-far", Stage.CONTEND)).isEqualTo(0.75, within(1e-9));
    }

    @Test
    void theOthersOfATeamRaceWhenItsFirstLeads() {
        gpu.with("first", 20_400, Candidate::multiply)
                .with("behind", 20_800, Candidate::multiply)
                .with("unseen", 19_000, Candidate::multiply)
                .with("wrong", 1_000, (any, p) -> any.at(p.get(2)).putShort(0, (short) 0));
        List<Entrant> entrants = Stream.of("first 0", "slow 1", "behind 0", "unseen 1", "wrong 0", "fast 0")
                .map(entry -> entry.split(" "))
                .map(entry -> entrant(entry[0], Integer.parseInt(entry[1]), Candidate.kernel(entry[0])))
                .toList();
        FinalDone done = run(Candidate.PROBLEM, this::vendor, 1, null, entrants);
        assertThat(done.log())
                .contains("look 1: arm-slow leaves")
                .contains("within the teams that lead 3 race")
                .contains("look 1: arm-behind leaves", "look 1: arm-first leaves");
        assertThat(stages(done, "arm-fast")).containsExactly(Stage.CONTEND, Stage.FINAL, Stage.FINAL);
        assertThat(stages(done, "arm-first")).containsExactly(Stage.CONTEND);
        assertThat(questions(done, "arm-behind"))
                .as("what its first has shown at the same clock it need not show again")
                .containsOnly(Question.STEADY_STATE);
        assertThat(done.arms())
                .extracting("name")
                .as("who was called and cannot race is reported, who was not called is not")
                .contains("arm-wrong")
                .doesNotContain("arm-unseen");
        assertThat(gpu.history).as("it was not loaded either").doesNotContain("unseen");
        assertThat(announced)
                .containsExactly(
                        "reference", "load", "verify", "contend", "load", "verify", "contend", "final", "verify");
        assertThat(done.blocks())
                .as("no block of an arm has the index of another")
                .doesNotHaveDuplicates()
                .extracting(block -> List.of(block.arm(), block.stage(), block.question(), block.mode(), block.index()))
                .doesNotHaveDuplicates();
    }

    @Test
    void turnsAreCountedThroughBothRaces() {
        gpu.with("close", 20_400, Candidate::multiply).with("sister", 20_200, Candidate::multiply);
        List<Entrant> entrants = List.of(
                entrant("fast", 0, Candidate.kernel("fast")),
                entrant("close", 1, Candidate.kernel("close")),
                entrant("sister", 0, Candidate.kernel("sister")));
        FinalDone done = run(Candidate.PROBLEM, this::vendor, 1, null, entrants);
        assertThat(steadyTurns(done, "arm-close")).containsExactly(0, 1, 2);
        assertThat(steadyTurns(done, "arm-fast")).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(steadyTurns(done, "arm-sister")).containsExactly(3, 4, 5);
    }

    /** Teams a, b, c, ... of eight whose firsts take so long; the others take 22 us. */
    private List<Entrant> teams(double... firstNs) {
        List<Entrant> entrants = new ArrayList<>();
        for (int team = 0; team < firstNs.length; team++) {
            for (int member = 0; member < 8; member++) {
                String entry = "abcd".charAt(team) + (member == 0 ? "" : Integer.toString(member));
                gpu.with(entry, member == 0 ? firstNs[team] : 22_000, Candidate::multiply);
                entrants.add(entrant(entry, team, Candidate.kernel(entry)));
            }
        }
        return entrants;
    }

    private static List<String> ours(FinalDone done) {
        return done.arms().stream()
                .filter(arm -> arm.trialId() != null)
                .map(arm -> arm.name().substring("arm-".length()))
                .toList();
    }

    @Test
    void teamsThatLeadSendOthersInTurnOneThatIsFarBehindNobody() {
        FinalDone done = run(Candidate.PROBLEM, this::vendor, 3, null, teams(20_000, 20_100, 20_500, 20_900));
        assertThat(done.log()).contains("within the teams that lead 12 race");
        assertThat(ours(done))
                .containsExactly("a", "b", "c", "d", "a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5");
    }

    /** Nothing is known of the clock that they leave themselves. */
    @Test
    void allThatAreLeftAtTheSameClockSendOthers() {
        FinalDone done = run(Candidate.PROBLEM, this::vendor, 2, null, teams(20_000, 20_600, 30_000));
        assertThat(ours(done)).containsExactly("a", "b", "c", "a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5");
    }

    @Test
    void moreFinalistsThanTeamsRaceForTheirPlacesToo() {
        FinalDone done = run(Candidate.PROBLEM, this::vendor, 4, null, teams(20_000));
        assertThat(ours(done)).hasSize(8);
        assertThat(stages(done, "arm-a")).containsExactly(Stage.CONTEND, Stage.FINAL, Stage.FINAL);
        assertThat(done.arms())
                .filteredOn(arm -> arm.measurements().stream().anyMatch(one -> one.stage() == Stage.FINAL))
                .filteredOn(arm -> arm.trialId() != null)
                .hasSize(4);
    }

    @Test
    void whereTheFirstOfATeamFailsTheNextRaces() {
        gpu.with("wrong", 1_000, (any, p) -> any.at(p.get(2)).putShort(0, (short) 0));
        List<Entrant> entrants = List.of(
                entrant("wrong", 0, Candidate.kernel("wrong")),
                entrant("unknown", 0, Candidate.kernel("unknown")),
                entrant("fast", 0, Candidate.kernel("fast")),
                entrant("slow", 1, Candidate.kernel("slow")));
        FinalDone done = run(Candidate.PROBLEM, this::vendor, 1, null, entrants);
        assertThat(arm(done, "arm-wrong").outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(arm(done, "arm-unknown").outcome()).isEqualTo(TrialOutcome.LAUNCH);
        assertThat(stages(done, "arm-fast")).containsExactly(Stage.CONTEND, Stage.FINAL, Stage.FINAL);
        assertThat(stages(done, "arm-slow")).containsExactly(Stage.CONTEND);
    }

    /** Its blocks would be those of an arm that nobody reports. */
    @Test
    void anAnchorThatIsAnEntrantWhoseTeamDoesNotLeadIsAKernelOfItsOwn() {
        gpu.with("anchor", 24_000, Candidate::multiply).with("close", 20_400, Candidate::multiply);
        List<Entrant> entrants = List.of(
                entrant("fast", 0, Candidate.kernel("fast")),
                entrant("close", 1, Candidate.kernel("close")),
                entrant("slow", 2, Candidate.kernel("slow")),
                entrant("anchor", 2, Candidate.kernel("anchor")));
        FinalDone done = run(Candidate.PROBLEM, this::vendor, 1, "anchor", entrants);
        assertThat(ours(done)).containsExactly("fast", "close", "slow");
        assertThat(ratioToAnchor(done, "arm-slow", Stage.CONTEND)).isEqualTo(0.8, within(1e-9));
        assertThat(done.blocks())
                .extracting("arm")
                .containsOnly("arm-fast", "arm-close", "arm-slow", "vendor algorithm=0");
    }

    private static List<Integer> steadyTurns(FinalDone done, String arm) {
        return done.blocks().stream()
                .filter(block -> block.arm().equals(arm)
                        && block.stage() == Stage.CONTEND
                        && block.question() == Question.STEADY_STATE)
                .map(Report.Block::index)
                .toList();
    }

    @Test
    void aPeersKernelThatIsSlowerThanItsBestLeavesUnlessItIsItsOwnChoice() {
        gpu.with("theirs", 22_000, Candidate::multiply);
        FinalDone done =
                run((family, data) -> vendors(family, data, "vendor", "slow", "theirs", "theirs"), 1, null, "fast");
        assertThat(announced).containsExactly("reference", "load", "verify", "contend", "final", "verify");
        assertThat(done.arms()).extracting("outcome").containsOnly(TrialOutcome.COMPLETED);
        assertThat(stages(done, "vendor algorithm=0")).containsExactly(Stage.CONTEND, Stage.FINAL, Stage.FINAL);
        assertThat(stages(done, "vendor algorithm=1")).containsExactly(Stage.CONTEND);
        assertThat(done.log()).contains("vendor algorithm=1 leaves");
        assertThat(done.ratios().stream().map(Report.ArmRatio::peer).distinct())
                .as("two that are as fast as each other both stay in")
                .containsExactlyInAnyOrder("vendor algorithm=0", "vendor algorithm=2", "vendor algorithm=3");
    }

    @Test
    void anAnchorThatIsNoContenderRunsBesideThemAtTheSameClockAlone() {
        gpu.with("anchor", 24_000, Candidate::multiply).with("close", 20_400, Candidate::multiply);
        FinalDone done = run(this::vendor, 1, "anchor", "fast", "close", "slow");
        assertThat(announced)
                .containsExactly("reference", "load", "verify", "anchor", "contend", "contend", "final", "verify");
        assertThat(done.arms()).extracting("name").doesNotContain("anchor");
        assertThat(done.blocks()).extracting("arm").doesNotContain("anchor");
        assertThat(ratioToAnchor(done, "arm-slow", Stage.CONTEND)).isEqualTo(0.8, within(1e-9));
        assertThat(Stream.of("arm-fast", "arm-close")
                        .flatMap(name -> arm(done, name).measurements().stream())
                        .filter(measurement -> measurement.mode() == Mode.SUSTAINED))
                .as("in steady state it is not beside them")
                .hasSize(3)
                .extracting("ratioToAnchor")
                .containsOnlyNulls();
        int verified = gpu.history.indexOf("vendor") + 1;
        List<String> turns = gpu.history.subList(verified, gpu.history.size());
        assertThat(turns.lastIndexOf("anchor")).as("before the first turn").isLessThan(turns.indexOf("vendor"));
    }

    @Test
    void anAnchorThatIsWrongIsDoneWithout() {
        gpu.with("anchor", 24_000, (any, p) -> {});
        FinalDone done = run(this::vendor, 1, "anchor", "fast", "slow");
        assertThat(done.log()).contains("timed without the anchor: wrong result: 1920 of 1920 elements wrong");
        assertThat(arm(done, "arm-fast").measurements())
                .extracting("ratioToAnchor")
                .containsOnlyNulls();
    }

    @Test
    void aGpuThatIsSlowedDownAgainAndAgainHasNoFinalButSaysWhy() {
        Workbench bench = Workbench.open(gpu, hot(() -> 0x40), PLAN, this::vendor);
        FinalDone done = new FinalRunner(bench, new Phases(() -> 0, announced::add))
                .run(new RunFinal(Candidate.PROBLEM, List.of(entrant("fast")), 1, null, List.of("vendor"), 9, MODES));
        assertThat(done.arms()).hasSize(2).allSatisfy(arm -> {
            assertThat(arm.outcome()).isEqualTo(TrialOutcome.NOISE);
            assertThat(arm.measurements()).isEmpty();
            assertThat(arm.log())
                    .contains("only 0 undisturbed sustained blocks")
                    .contains("thermal slowdown by hardware");
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
            public OptionalDouble powerWatts() {
                return OptionalDouble.empty();
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

    private static Entrant entrant(String entry) {
        return entrant(entry, 0, Candidate.kernel(entry));
    }

    private static Entrant entrant(String entry, int team, Kernel kernel) {
        return new Entrant("arm-" + entry, UUID.randomUUID(), team, "sm90-gemm", Candidate.CONFIG, kernel);
    }

    private static List<Stage> stages(FinalDone done, String name) {
        return arm(done, name).measurements().stream().map(Measurement::stage).toList();
    }

    private static List<Question> questions(FinalDone done, String name) {
        return done.blocks().stream()
                .filter(block -> block.arm().equals(name) && block.stage() == Stage.CONTEND)
                .map(Report.Block::question)
                .toList();
    }

    private static double ratioToAnchor(FinalDone done, String name, Stage stage) {
        return arm(done, name).measurements().stream()
                .filter(measurement -> measurement.stage() == stage && measurement.mode() == Mode.SUSTAINED)
                .map(measurement -> measurement.ratioToAnchor().value())
                .findFirst()
                .orElseThrow();
    }
}
