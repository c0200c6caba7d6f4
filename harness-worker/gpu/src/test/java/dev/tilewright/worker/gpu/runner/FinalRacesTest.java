package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.measure.TurnLength;
import dev.tilewright.worker.link.runner.RunnerRequest.Entrant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who reaches a final: the races between teams and within them, and what runs beside them. */
class FinalRacesTest extends FinalOnFakeGpu {

    @Test
    void moreThanMayReachTheFinalRaceForIt() {
        gpu.with("far", 40_000, Candidate::multiply).with("close", 20_400, Candidate::multiply);
        FinalResult done = run(this::vendor, 1, "slow", "far", "close", "fast", "slow");
        assertThat(announced)
                .containsExactly("reference", "load", "peers", "verify", "contend", "contend", "final", "verify");
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
                .contains("arm-far left after 4 blocks: 100.0 % behind arm-fast, interval [100.0, 100.0] %")
                .contains("race between teams at the same clock: 4 began, 2 are left after 4 blocks")
                .contains("arm-close left after 2 blocks: 2.0 % behind arm-fast, interval [2.0, 2.0] %")
                .contains("race between teams in steady state: 2 began, 1 are left after 2 blocks");
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
                .map(entry -> entrant(entry[0], Integer.parseInt(entry[1])))
                .toList();
        FinalResult done = run(Candidate.PROBLEM, this::vendor, 1, null, entrants);
        assertThat(done.log())
                .contains("arm-slow left after 4 blocks")
                .contains("race within the teams that lead: 3 began, 1 are left")
                .contains("arm-behind left after 2 blocks", "arm-first left after 2 blocks");
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
                        "reference",
                        "load",
                        "peers",
                        "verify",
                        "contend",
                        "load",
                        "verify",
                        "contend",
                        "final",
                        "verify");
        assertThat(done.blocks())
                .as("no block of an arm has the index of another")
                .doesNotHaveDuplicates()
                .extracting(block -> List.of(block.arm(), block.stage(), block.question(), block.mode(), block.index()))
                .doesNotHaveDuplicates();
    }

    @Test
    void turnsAreCountedThroughBothRaces() {
        gpu.with("close", 20_400, Candidate::multiply).with("sister", 20_200, Candidate::multiply);
        List<Entrant> entrants = List.of(entrant("fast", 0), entrant("close", 1), entrant("sister", 0));
        FinalResult done = run(Candidate.PROBLEM, this::vendor, 1, null, entrants);
        assertThat(steadyTurns(done, "arm-close")).containsExactly(0, 1);
        assertThat(steadyTurns(done, "arm-fast")).containsExactly(0, 1, 2, 3);
        assertThat(steadyTurns(done, "arm-sister")).containsExactly(2, 3);
    }

    /** Teams a, b, c, ... of eight whose firsts take so long; the others take 22 us. */
    private List<Entrant> teams(double... firstNs) {
        List<Entrant> entrants = new ArrayList<>();
        for (int team = 0; team < firstNs.length; team++) {
            for (int member = 0; member < 8; member++) {
                String entry = "abcd".charAt(team) + (member == 0 ? "" : Integer.toString(member));
                gpu.with(entry, member == 0 ? firstNs[team] : 22_000, Candidate::multiply);
                entrants.add(entrant(entry, team));
            }
        }
        return entrants;
    }

    private static List<String> ours(FinalResult done) {
        return done.arms().stream()
                .filter(arm -> arm.trialId() != null)
                .map(arm -> arm.name().substring("arm-".length()))
                .toList();
    }

    @Test
    void teamsThatLeadSendOthersInTurnOneThatIsFarBehindNobody() {
        FinalResult done = run(Candidate.PROBLEM, this::vendor, 3, null, teams(20_000, 20_100, 20_500, 20_900));
        assertThat(done.log()).contains("race within the teams that lead: 9 began");
        assertThat(ours(done)).containsExactly("a", "b", "c", "d", "a1", "b1", "a2", "b2", "a3", "b3");
    }

    /** Nothing is known of the clock that they leave themselves. */
    @Test
    void allThatAreLeftAtTheSameClockSendOthers() {
        FinalResult done = run(Candidate.PROBLEM, this::vendor, 2, null, teams(20_000, 20_600, 30_000));
        assertThat(ours(done)).containsExactly("a", "b", "c", "a1", "b1", "a2", "b2", "a3", "b3");
    }

    @Test
    void moreFinalistsThanTeamsRaceForTheirPlacesToo() {
        FinalResult done = run(Candidate.PROBLEM, this::vendor, 4, null, teams(20_000));
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
        List<Entrant> entrants =
                List.of(entrant("wrong", 0), entrant("unknown", 0), entrant("fast", 0), entrant("slow", 1));
        FinalResult done = run(Candidate.PROBLEM, this::vendor, 1, null, entrants);
        assertThat(arm(done, "arm-wrong").outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(arm(done, "arm-unknown").outcome()).isEqualTo(TrialOutcome.LAUNCH);
        assertThat(stages(done, "arm-fast")).containsExactly(Stage.CONTEND, Stage.FINAL, Stage.FINAL);
        assertThat(stages(done, "arm-slow")).containsExactly(Stage.CONTEND);
    }

    /** Its blocks would be those of an arm that nobody reports. */
    @Test
    void anAnchorThatIsAnEntrantWhoseTeamDoesNotLeadIsAKernelOfItsOwn() {
        gpu.with("anchor", 24_000, Candidate::multiply).with("close", 20_400, Candidate::multiply);
        List<Entrant> entrants =
                List.of(entrant("fast", 0), entrant("close", 1), entrant("slow", 2), entrant("anchor", 2));
        FinalResult done = run(Candidate.PROBLEM, this::vendor, 1, "anchor", entrants);
        assertThat(ours(done)).containsExactly("fast", "close", "slow");
        assertThat(ratioToAnchor(done, "arm-slow", Stage.CONTEND)).isEqualTo(0.8, within(1e-9));
        assertThat(done.blocks())
                .extracting("arm")
                .containsOnly("arm-fast", "arm-close", "arm-slow", "vendor algorithm=0");
    }

    /** A run of a race is a tenth of a swing, so it says nothing of two arms that are close. */
    @Test
    void whereTheClockSwingsATurnOfTheFinalLastsAWholeSwing() {
        plan = plan(RULE, new TurnLength(100_000, 900_000));
        gpu.with("close", 20_400, Candidate::multiply).with("near", 20_200, Candidate::multiply);
        assertThat(run(this::vendor, 1, null, "fast", "close", "near").log())
                .contains("a run deviates by 0.00 %")
                .doesNotContain("the clock may swing");
        gpu.swinging(0.05, 1_300_000);
        assertThat(run(this::vendor, 1, null, "fast", "close", "near").log())
                .contains("final: the clock may swing, so an arm runs for 0.0010 s in a turn");
    }

    private static List<Integer> steadyTurns(FinalResult done, String arm) {
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
        FinalResult done =
                run((family, data) -> vendors(family, data, "vendor", "slow", "theirs", "theirs"), 1, null, "fast");
        assertThat(announced).containsExactly("reference", "load", "peers", "verify", "contend", "final", "verify");
        assertThat(done.arms()).extracting("outcome").containsOnly(TrialOutcome.COMPLETED);
        assertThat(stages(done, "vendor algorithm=0")).containsExactly(Stage.CONTEND, Stage.FINAL, Stage.FINAL);
        assertThat(stages(done, "vendor algorithm=1")).containsExactly(Stage.CONTEND);
        assertThat(done.log())
                .contains("vendor algorithm=1 left after 4 blocks: 36.4 % behind vendor algorithm=2")
                .contains("race of vendor in steady state: 2 began, 2 are left after 3 blocks");
        assertThat(done.ratios().stream().map(Report.ArmRatio::peer).distinct())
                .as("two that are as fast as each other both stay in")
                .containsExactlyInAnyOrder("vendor algorithm=0", "vendor algorithm=2", "vendor algorithm=3");
    }

    /** Kernels of a bundle as a peer, each of which takes so long. */
    private List<Entrant> rivals(String family, double... launchNs) {
        List<Entrant> rivals = new ArrayList<>();
        for (int variant = 0; variant < launchNs.length; variant++) {
            String entry = family + variant;
            gpu.with(entry, launchNs[variant], Candidate::multiply);
            rivals.add(
                    Entrant.rival(family + " variant=" + variant, family, Candidate.CONFIG, Candidate.kernel(entry)));
        }
        return rivals;
    }

    @Test
    void ofEachPeerTheBestKernelIsInTheFinalAndOfAllWhatMayBeTheBest() {
        gpu.with("theirs", 22_000, Candidate::multiply);
        List<Entrant> rivals = Stream.of(
                        rivals("triton", 29_000, 26_000, 26_400),
                        rivals("hand", 40_000),
                        rivals("cutlass", 28_000, 22_400))
                .flatMap(List::stream)
                .toList();
        FinalResult done = run(
                Candidate.PROBLEM,
                (family, data) -> vendors(family, data, "slow", "theirs"),
                1,
                null,
                List.of(entrant("fast", 0)),
                rivals);
        assertThat(done.arms()).hasSize(9).extracting("outcome").containsOnly(TrialOutcome.COMPLETED);
        assertThat(done.ratios().stream().map(Report.ArmRatio::peer).distinct())
                .containsExactlyInAnyOrder(
                        "vendor algorithm=0",
                        "vendor algorithm=1",
                        "triton variant=1",
                        "hand variant=0",
                        "cutlass variant=1");
        assertThat(done.ratios())
                .filteredOn(
                        ratio -> ratio.mode() == Mode.SUSTAINED && ratio.peer().equals("triton variant=1"))
                .singleElement()
                .satisfies(ratio -> assertThat(ratio.ratio().value()).isEqualTo(1.3, within(1e-9)));
        assertThat(stages(done, "triton variant=2")).containsExactly(Stage.CONTEND);
        assertThat(done.log())
                .contains("race of triton at the same clock: 3 began, 2 are left")
                .contains("race of triton in steady state: 2 began, 1 are left")
                .contains("race of the peers: 4 began, 1 are left")
                .doesNotContain("race of hand");
        assertThat(done.blocks())
                .extracting(block -> List.of(block.arm(), block.stage(), block.question(), block.mode(), block.index()))
                .doesNotHaveDuplicates();
    }

    @Test
    void aBundleThatIsFasterThanTheVendorIsTheBestPeer() {
        FinalResult done = run(
                Candidate.PROBLEM,
                (family, data) -> vendors(family, data, "slow", "vendor"),
                1,
                null,
                List.of(entrant("fast", 0)),
                rivals("triton", 21_000));
        assertThat(done.ratios().stream().map(Report.ArmRatio::peer).distinct())
                .as("beside it the vendor's own choice and its best")
                .containsExactlyInAnyOrder("triton variant=0", "vendor algorithm=0", "vendor algorithm=1");
        assertThat(done.log()).contains("ratio of arm-fast to triton variant=0 known to");
    }

    /** It is beside the teams, and beside the kernels of each peer. */
    @Test
    void blocksOfAnAnchorThatIsAContenderAreCountedThroughAllRaces() {
        gpu.with("theirs", 22_000, Candidate::multiply);
        FinalResult done = run(
                Candidate.PROBLEM,
                (family, data) -> vendors(family, data, "slow", "theirs"),
                1,
                "fast",
                List.of(entrant("fast", 0), entrant("slow", 1)),
                rivals("triton", 29_000, 26_000));
        assertThat(done.blocks())
                .filteredOn(block -> block.arm().equals("arm-fast") && block.question() == Question.SAME_CLOCK)
                .extracting(Report.Block::index)
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void anAnchorThatIsNoContenderRunsBesideThemAtTheSameClockAlone() {
        gpu.with("anchor", 24_000, Candidate::multiply).with("close", 20_400, Candidate::multiply);
        FinalResult done = run(this::vendor, 1, "anchor", "fast", "close", "slow");
        assertThat(announced)
                .containsExactly(
                        "reference", "load", "peers", "verify", "anchor", "contend", "contend", "final", "verify");
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
        FinalResult done = run(this::vendor, 1, "anchor", "fast", "slow");
        assertThat(done.log()).contains("timed without the anchor: wrong result: 1920 of 1920 elements wrong");
        assertThat(arm(done, "arm-fast").measurements())
                .extracting("ratioToAnchor")
                .containsOnlyNulls();
    }

    private static List<Question> questions(FinalResult done, String name) {
        return done.blocks().stream()
                .filter(block -> block.arm().equals(name) && block.stage() == Stage.CONTEND)
                .map(Report.Block::question)
                .toList();
    }

    private static double ratioToAnchor(FinalResult done, String name, Stage stage) {
        return arm(done, name).measurements().stream()
                .filter(measurement -> measurement.stage() == stage && measurement.mode() == Mode.SUSTAINED)
                .map(measurement -> measurement.ratioToAnchor().value())
                .findFirst()
                .orElseThrow();
    }
}
