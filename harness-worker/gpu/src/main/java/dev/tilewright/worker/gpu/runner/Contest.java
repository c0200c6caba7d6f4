package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.text.Count;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.measure.FinalPlan;
import dev.tilewright.worker.gpu.measure.Race;
import dev.tilewright.worker.gpu.measure.RacePlan;
import dev.tilewright.worker.gpu.measure.Rounds;
import dev.tilewright.worker.gpu.measure.Run;
import dev.tilewright.worker.gpu.measure.SameClock;
import dev.tilewright.worker.gpu.measure.SteadyState;
import dev.tilewright.worker.gpu.measure.Summaries;
import dev.tilewright.worker.gpu.measure.Timed;
import dev.tilewright.worker.gpu.measure.TimingPlan;
import dev.tilewright.worker.gpu.stats.BlockSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stage {@code contend}: decides which of our contenders, or of a peer's kernels, reach the final.
 *
 * <p>A race has two parts. In the first, all arms run at the same clock. Its turns are short, and arms that are far
 * behind leave. In the second, the arms that are left run in steady state. There the clock that a kernel settles at by
 * its own power counts too.
 *
 * <p>Our contenders race twice. First one contender of each team races. Then the leaders race against others of their
 * teams, because a screen cannot say which contender of a team draws the least power.
 */
final class Contest {

    /**
     * How far the first contender of a team may be behind the leader if its team is to race within itself, as a share
     * of the time. Others of a team were seen to be faster than its first by up to 2 %.
     */
    private static final double CLOSE_BEHIND = 0.01;

    private final Workbench bench;
    private final @Nullable Arm anchor;
    private final LongSupplier nanoTime;
    private final List<String> log;
    private final Map<Competitor, Measurement> measurements = new LinkedHashMap<>();
    private Timed timed = Timed.NOTHING;
    private boolean settled;
    private OptionalDouble spread = OptionalDouble.empty();

    /**
     * @param anchor runs in every block at the same clock; {@code null} if there is none
     * @param nanoTime clock of the host
     * @param log is told which arms left, how long it took, and what disturbed the races
     */
    Contest(Workbench bench, @Nullable Arm anchor, LongSupplier nanoTime, List<String> log) {
        this.bench = bench;
        this.anchor = anchor;
        this.nanoTime = nanoTime;
        this.log = log;
    }

    /**
     * The result of the race between teams.
     *
     * @param ranked the contenders that are left, the fastest first
     * @param leading those of them whose teams may have the best contender: all, where none raced in steady state
     */
    record Firsts(List<Competitor> ranked, List<Competitor> leading) {}

    /**
     * Races one contender of each team. Those are left that may be near the best, and at least as many as may reach the
     * final. If there are no more than these, all are left without a race.
     */
    Firsts betweenTeams(List<Competitor> firsts, int wanted, long seed) {
        Race.Outcome<Competitor> outcome = race(
                "between teams", firsts, wanted, firsts.size(), bench.plan().betweenTeams(), seed);
        return new Firsts(
                outcome.arms(),
                outcome.ranked().stream()
                        .filter(placed -> placed.behind() <= CLOSE_BEHIND)
                        .map(Race.Placed::arm)
                        .toList());
    }

    /** Races the leaders against others of their teams, in steady state alone; the fastest, no more than wanted. */
    List<Competitor> withinTeams(List<Competitor> contenders, int wanted, long seed) {
        if (contenders.size() <= wanted) {
            return contenders;
        }
        return atMost(
                wanted,
                inSteadyState("within the teams that lead", bench.plan().withinTeams(), contenders, wanted, seed)
                        .arms());
    }

    /**
     * Races the kernels of one peer.
     *
     * @return those that may be the best, the fastest first, and no more than {@link FinalPlan#PEERS}
     */
    List<Competitor> unbeaten(String peer, List<Competitor> contenders, long seed) {
        return atMost(
                FinalPlan.PEERS,
                race("of " + peer, contenders, 1, RacePlan.PEERS, bench.plan().ofPeers(), seed)
                        .arms());
    }

    /** The same of several peers whose kernels have raced within each: in steady state alone. */
    List<Competitor> unbeatenOfAll(List<Competitor> contenders, long seed) {
        return contenders.size() <= 1
                ? contenders
                : atMost(
                        FinalPlan.PEERS,
                        inSteadyState("of the peers", bench.plan().ofPeers(), contenders, 1, seed)
                                .arms());
    }

    static List<Competitor> atMost(int wanted, List<Competitor> ranked) {
        return ranked.subList(0, Math.min(wanted, ranked.size()));
    }

    private Race.Outcome<Competitor> race(
            String name, List<Competitor> contenders, int wanted, int most, RacePlan last, long seed) {
        if (contenders.size() <= wanted) {
            return unraced(contenders);
        }
        TimingPlan plan = bench.plan();
        SameClock sameClock = new SameClock(bench.stopwatch(), plan, Stage.CONTEND, seed, blocks(Question.SAME_CLOCK));
        if (!settled) {
            sameClock.settle(contenders, plan.settle());
            settled = true;
        }
        List<Competitor> left = atMost(
                most,
                race(name + " at the same clock", sameClock, plan.sameClock(), contenders, wanted, anchor)
                        .arms());
        return left.size() <= wanted
                ? unraced(left)
                : inSteadyState(name + " in steady state", last, left, wanted, seed);
    }

    private static Race.Outcome<Competitor> unraced(List<Competitor> contenders) {
        return new Race.Outcome<>(
                contenders.stream().map(one -> new Race.Placed<>(one, 0)).toList(), 0, false, List.of());
    }

    /** A race in steady state, which also says how much runs deviate there. */
    private Race.Outcome<Competitor> inSteadyState(
            String name, RacePlan plan, List<Competitor> contenders, int wanted, long seed) {
        SteadyState rounds = steadyState(seed);
        Race.Outcome<Competitor> outcome = race(name, rounds, plan, contenders, wanted, null);
        if (!outcome.noisy()) {
            double deviation = rounds.timed().turns(contenders, Mode.SUSTAINED).spread();
            log.add(String.format(Locale.ROOT, "race %s: a run deviates by %.2f %%", name, 100 * deviation));
            spread = OptionalDouble.of(Math.max(deviation, spread.orElse(0)));
        }
        return outcome;
    }

    private SteadyState steadyState(long seed) {
        TimingPlan plan = bench.plan();
        return new SteadyState(
                bench.stopwatch(),
                plan,
                plan.race(),
                Mode.SUSTAINED,
                Stage.CONTEND,
                seed,
                blocks(Question.STEADY_STATE));
    }

    /** First number of a race's blocks, behind those of earlier ones: an arm, or the anchor, may be in several. */
    private int blocks(Question question) {
        return timed.blocks().stream()
                .filter(block -> block.question() == question)
                .mapToInt(block -> block.index() + 1)
                .max()
                .orElse(0);
    }

    private Race.Outcome<Competitor> race(
            String name, Rounds rounds, RacePlan plan, List<Competitor> contenders, int wanted, @Nullable Arm beside) {
        long began = nanoTime.getAsLong();
        Race.Outcome<Competitor> outcome = new Race(rounds, plan).run(contenders, beside, wanted);
        Timed now = rounds.timed();
        timed = timed.plus(now);
        log.addAll(now.notes());
        log.addAll(outcome.log());
        log.add(String.format(
                Locale.ROOT,
                "race %s: %d began, %d are left after %s and %.1f s",
                name,
                contenders.size(),
                outcome.ranked().size(),
                Count.of(outcome.blocks(), "block"),
                (nanoTime.getAsLong() - began) / 1e9));
        if (outcome.noisy()) {
            log.add("the race was stopped: " + Count.of(now.discards().size(), "block was", "blocks were")
                    + " disturbed");
        }
        contenders.forEach(contender ->
                measurement(contender, now, beside).ifPresent(measurement -> measurements.put(contender, measurement)));
        return outcome;
    }

    private Optional<Measurement> measurement(Competitor contender, Timed now, @Nullable Arm beside) {
        List<Run> runs = now.runs(contender.name(), Mode.SUSTAINED);
        return runs.size() < BlockSummary.LEAST_BLOCKS
                ? Optional.empty()
                : Optional.of(Summaries.of(
                        Mode.SUSTAINED, Stage.CONTEND, runs, Anchored.ratio(now, contender, beside, Mode.SUSTAINED)));
    }

    /** Measurements of a contender in its last race; empty if it was in none. */
    List<Measurement> measurements(Competitor contender) {
        Measurement measurement = measurements.get(contender);
        return measurement == null ? List.of() : List.of(measurement);
    }

    /** Greatest deviation of a run in the steady state of a race, as a logarithm; empty if nothing raced there. */
    OptionalDouble spread() {
        return spread;
    }

    /** The blocks of all races. */
    Timed timed() {
        return timed;
    }
}
