package dev.tilewright.worker.gpu.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.worker.gpu.measure.SyntheticRounds.Truth;
import dev.tilewright.worker.gpu.stats.race.FinalRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ten thousand races with their finals, by the code that runs them on a GPU: how often the interval that is reported
 * holds the truth though the winner, the best peer and the number of turns were all read off what was seen, and how
 * often a race loses its best.
 */
class SyntheticFinalsTest {

    private static final int FINALS = 2000;

    private static final double RACE_SECONDS = (TurnLength.RACE.settleNs() + TurnLength.RACE.timedNs()) / 1e9;
    private static final double FINAL_SECONDS = (TurnLength.FINAL.settleNs() + TurnLength.FINAL.timedNs()) / 1e9;

    /** What there was without early leaving: races of nine turns, then ten and more of three of ours and the peers. */
    private static final int NINE_TURNS = 9;

    private static final int TEN_TURNS = 10;

    /** So many times as much as a turn of a whole swing does a turn of a race deviate. */
    private static final double SWING_OF_A_SHORT_TURN = 6;

    private static final class Tally {
        private int covered;
        private int below;
        private int above;
        private int lost;
        private int races;
        private int narrow;
        private double widest;
        private long turns;
        private double seconds;
        private double secondsBefore;

        void take(double truth, Ratio ratio, int turnsOfIt, double asked) {
            below += truth < Math.log(ratio.low()) ? 1 : 0;
            above += truth > Math.log(ratio.high()) ? 1 : 0;
            covered += Math.log(ratio.low()) <= truth && truth <= Math.log(ratio.high()) ? 1 : 0;
            double half = FinalRule.halfWidth(ratio);
            narrow += half <= asked ? 1 : 0;
            widest = Math.max(widest, half);
            turns += turnsOfIt;
        }

        void race(List<Truth> all, List<Truth> left) {
            races++;
            lost += left.contains(best(all)) ? 0 : 1;
        }
    }

    /** Five strata, ten thousand finals in all; gaps and deviations are drawn up to the greatest. */
    @ParameterizedTest
    @CsvSource({
        // ours, of them finalists, peers, greatest gap, least and greatest deviation of a final's turn
        "1, 1, 1, 0.000, 0.002, 0.010",
        "10, 1, 9, 0.080, 0.0025, 0.0065",
        "6, 1, 3, 0.004, 0.002, 0.010",
        "6, 3, 3, 0.004, 0.002, 0.010",
        "12, 1, 9, 0.000, 0.004, 0.006"
    })
    void theIntervalHoldsTheTruthAndNoRaceLosesItsBestTooOften(
            int ours, int finalists, int peers, double gap, double calmest, double wildest) {
        Random random = new Random(20_261_124);
        Tally tally = new Tally();
        for (int i = 0; i < FINALS; i++) {
            List<Truth> own = arms(random, "ours", ours, 0, gap, calmest, wildest);
            List<Truth> others = arms(random, "peer", peers, 0.01, gap, calmest, wildest);
            one(random, own, finalists, others, tally);
        }
        System.out.printf(
                Locale.ROOT,
                "%d of ours, %d finalists, %d peers, gaps to %.1f %%: 95 %% interval holds the truth in %.1f %% (below %.1f %%, above"
                        + " %.1f %%), %.1f turns on average, as narrow as asked %.1f %%, widest %.2f %%, races lost their"
                        + " best %.2f %%, %.0f s in races and final where there were %.0f%n",
                ours,
                finalists,
                peers,
                100 * gap,
                100.0 * tally.covered / FINALS,
                100.0 * tally.below / FINALS,
                100.0 * tally.above / FINALS,
                tally.turns / (double) FINALS,
                100.0 * tally.narrow / FINALS,
                100 * tally.widest,
                100.0 * tally.lost / tally.races,
                tally.seconds / FINALS,
                tally.secondsBefore / FINALS);
        // Three standard deviations of 2,000 draws at 95 % are 1.5 %.
        assertThat(tally.covered / (double) FINALS).as("coverage").isGreaterThanOrEqualTo(0.95 - 0.015);
        assertThat(tally.below / (double) FINALS)
                .as("a lower bound that was too high")
                .isLessThanOrEqualTo(0.035);
        assertThat(tally.lost / (double) tally.races).as("the best left").isLessThanOrEqualTo(0.05);
        assertThat(tally.widest).as("never over 1 %").isLessThan(0.01);
    }

    /** Finals of turns that last a whole swing, and arms that nobody can tell apart; the same for short turns. */
    @ParameterizedTest
    @CsvSource({
        // swinging, least and greatest deviation of a turn
        "true, 0.0005, 0.003",
        "true, 0.002, 0.006",
        "false, 0.015, 0.025"
    })
    void aFinalOnARestlessGpuEndsAndItsIntervalHolds(boolean swinging, double calmest, double wildest) {
        Random random = new Random(20_261_124);
        FinalPlan plan = swinging ? FinalPlan.SWINGING : FinalPlan.CALM;
        double turn = (plan.turn().settleNs() + plan.turn().timedNs()) / 1e9;
        int covered = 0;
        double longest = 0;
        double widest = 0;
        double seconds = 0;
        for (int i = 0; i < FINALS; i++) {
            List<Truth> own = arms(random, "ours", 1, 0, 0.004, calmest, wildest);
            List<Truth> others = arms(random, "peer", RacePlan.PEERS, 0.01, 0.03, calmest, wildest);
            SyntheticRounds heat = new SyntheticRounds(random, swinging ? SWING_OF_A_SHORT_TURN : 1);
            List<Truth> unbeaten =
                    new Race(heat, RacePlan.OF_PEERS).run(others, null, 1).arms();
            List<Truth> left = unbeaten.subList(0, Math.min(FinalPlan.PEERS, unbeaten.size()));
            SyntheticRounds last = new SyntheticRounds(random, 1);
            new FinalRun(last, plan.rule()).run(new FinalRun.Field<>(own, left, List.of(), null));
            Truth winner = chosen(last.timed(), own);
            Truth peer = chosen(last.timed(), left);
            Ratio ratio = FinalRule.ratio(
                    last.timed().paired(winner.name(), peer.name(), Mode.SUSTAINED), own.size(), left.size());
            double truth = best(others).logTime() - winner.logTime();
            covered += Math.log(ratio.low()) <= truth && truth <= Math.log(ratio.high()) ? 1 : 0;
            longest = Math.max(longest, turn * last.runs());
            widest = Math.max(widest, FinalRule.halfWidth(ratio));
            seconds += turn * last.runs();
        }
        System.out.printf(
                Locale.ROOT,
                "restless, swings %s, %.2f to %.2f %%: holds %.1f %%, %.1f s on average, %.1f at most, widest %.2f %%%n",
                swinging,
                100 * calmest,
                100 * wildest,
                100.0 * covered / FINALS,
                seconds / FINALS,
                longest,
                100 * widest);
        assertThat(covered / (double) FINALS).as("coverage").isGreaterThanOrEqualTo(0.95 - 0.015);
        assertThat(longest).as("seconds").isLessThan(66);
    }

    private static void one(Random random, List<Truth> own, int finalists, List<Truth> others, Tally tally) {
        SyntheticRounds heat = new SyntheticRounds(random, 1.5);
        Race.Outcome<Truth> outcome = new Race(heat, RacePlan.WITHIN_TEAMS).run(own, null, finalists);
        List<Truth> left =
                outcome.arms().subList(0, Math.min(finalists, outcome.ranked().size()));
        SyntheticRounds theirs = new SyntheticRounds(random, 1.5);
        List<Truth> unbeaten =
                new Race(theirs, RacePlan.OF_PEERS).run(others, null, 1).arms();
        List<Truth> best = unbeaten.subList(0, Math.min(FinalPlan.PEERS, unbeaten.size()));
        tally.race(own, outcome.arms());
        tally.race(others, unbeaten);
        SyntheticRounds last = new SyntheticRounds(random, 1);
        FinalRule rule = FinalRule.STANDARD;
        new FinalRun(last, rule).run(new FinalRun.Field<>(left, best, List.of(), null));
        Timed timed = last.timed();
        Truth winner = chosen(timed, left);
        Truth peer = chosen(timed, best);
        int turns = timed.runs(winner.name(), Mode.SUSTAINED).size();
        Ratio ratio =
                FinalRule.ratio(timed.paired(winner.name(), peer.name(), Mode.SUSTAINED), left.size(), best.size());
        tally.take(best(others).logTime() - winner.logTime(), ratio, turns, rule.halfWidth());
        tally.seconds += RACE_SECONDS * (heat.runs() + theirs.runs()) + FINAL_SECONDS * last.runs();
        tally.secondsBefore += FINAL_SECONDS
                * (NINE_TURNS * (raced(own) + raced(others))
                        + Math.max(TEN_TURNS, turns) * (Math.min(3, own.size()) + best.size()));
    }

    private static int raced(List<Truth> arms) {
        return arms.size() == 1 ? 0 : arms.size();
    }

    /** As a study chooses: of those that ran to the end the fastest. */
    private static Truth chosen(Timed timed, List<Truth> side) {
        return side.stream()
                .min(Comparator.<Truth>comparingInt(
                                one -> -timed.runs(one.name(), Mode.SUSTAINED).size())
                        .thenComparingDouble(one -> median(timed, one)))
                .orElseThrow();
    }

    private static double median(Timed timed, Truth arm) {
        return Quantiles.median(timed.runs(arm.name(), Mode.SUSTAINED).stream()
                .mapToDouble(Run::launchNs)
                .toArray());
    }

    private static Truth best(List<Truth> arms) {
        return arms.stream().min(Comparator.comparingDouble(Truth::logTime)).orElseThrow();
    }

    private static List<Truth> arms(
            Random random, String side, int count, double best, double gap, double calmest, double wildest) {
        List<Truth> arms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double behind = i == 0 ? 0 : gap * random.nextDouble();
            double deviation = calmest * Math.pow(wildest / calmest, random.nextDouble());
            arms.add(new Truth(side + i, best + behind, deviation));
        }
        return arms;
    }
}
