package dev.tilewright.worker.runner.child;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.measure.Arm;
import dev.tilewright.worker.measure.Race;
import dev.tilewright.worker.measure.RacePlan;
import dev.tilewright.worker.measure.Rounds;
import dev.tilewright.worker.measure.Run;
import dev.tilewright.worker.measure.SameClock;
import dev.tilewright.worker.measure.SteadyState;
import dev.tilewright.worker.measure.Summaries;
import dev.tilewright.worker.measure.Timed;
import dev.tilewright.worker.measure.TimingPlan;
import dev.tilewright.worker.stats.BlockSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stage {@code contend}: who of the best screens, or of a peer's kernels, goes on to the final. At the same clock,
 * where turns are short, those leave that are far behind; the others race on in steady state, where the clock that a
 * kernel leaves itself counts too. Ours race twice: one of each team, then those that are left with others of their
 * teams, whose screens could not say which of them draws least.
 */
final class Contest {

    /** By so much others of a team may well be faster than its first: by up to 2 % they were seen to be. */
    private static final double NEAR = 0.01;

    private final Workbench bench;
    private final Problem problem;
    private final @Nullable Arm anchor;
    private final List<String> log;
    private final Map<Contender, Measurement> measurements = new LinkedHashMap<>();
    private Timed timed = Timed.NOTHING;

    /**
     * @param anchor runs in every block at the same clock; {@code null} if there is none
     * @param log is told who left, and what disturbed the races
     */
    Contest(Workbench bench, Problem problem, @Nullable Arm anchor, List<String> log) {
        this.bench = bench;
        this.problem = problem;
        this.anchor = anchor;
        this.log = log;
    }

    /**
     * Races one of each team: those that may be near the best and at least as many as may reach the final, the fastest
     * first; all without a race if no more are there.
     */
    List<Contender> betweenTeams(List<Contender> firsts, int wanted, long seed) {
        return race(firsts, wanted, bench.plan().steadyState().within(NEAR), seed);
    }

    /** Of those that are left the ones whose teams may have the best: all, where none raced in steady state. */
    List<Contender> leading(List<Contender> left) {
        return left.stream()
                .filter(first -> behind(first, left.getFirst()) <= NEAR)
                .toList();
    }

    private double behind(Contender first, Contender leader) {
        boolean settled = timed.blocks().stream()
                .anyMatch(block ->
                        block.question() == Question.STEADY_STATE && block.arm().equals(leader.name()));
        Measurement one = measurements.get(first);
        Measurement best = measurements.get(leader);
        return settled && one != null && best != null ? one.medianNs() / best.medianNs() - 1 : 0;
    }

    /** Races those that lead and others of their teams, in steady state alone: the fastest, no more than wanted. */
    List<Contender> withinTeams(List<Contender> contenders, int wanted, long seed) {
        if (contenders.size() <= wanted) {
            return contenders;
        }
        log.add("within the teams that lead " + contenders.size() + " race");
        return atMost(wanted, race(steadyState(seed), bench.plan().steadyState(), contenders, null, wanted));
    }

    /** Races the kernels of a peer: all of which it is not certain enough that they are slower than the fastest. */
    List<Contender> unbeaten(List<Contender> contenders, long seed) {
        return race(contenders, 1, bench.plan().steadyState(), seed);
    }

    static List<Contender> atMost(int wanted, List<Contender> ranked) {
        return ranked.subList(0, Math.min(wanted, ranked.size()));
    }

    private List<Contender> race(List<Contender> contenders, int wanted, RacePlan last, long seed) {
        if (contenders.size() <= wanted) {
            return contenders;
        }
        TimingPlan plan = bench.plan();
        SameClock sameClock = new SameClock(bench.stopwatch(), plan, Stage.CONTEND, seed);
        sameClock.settle(contenders, plan.settle());
        List<Contender> left = race(sameClock, plan.sameClock(), contenders, anchor, wanted);
        return left.size() > wanted ? race(steadyState(seed), last, left, null, wanted) : left;
    }

    /** Turns are counted through all races, for an arm may be in several. */
    private SteadyState steadyState(long seed) {
        int turns = timed.blocks().stream()
                .filter(block -> block.question() == Question.STEADY_STATE)
                .mapToInt(block -> block.index() + 1)
                .max()
                .orElse(0);
        return new SteadyState(bench.stopwatch(), bench.plan(), Mode.SUSTAINED, Stage.CONTEND, seed, turns);
    }

    private List<Contender> race(
            Rounds rounds, RacePlan plan, List<Contender> contenders, @Nullable Arm beside, int wanted) {
        Race.Outcome<Contender> outcome = new Race(rounds, plan).run(contenders, beside, wanted);
        Timed now = rounds.timed();
        timed = timed.plus(now);
        log.addAll(now.notes());
        log.addAll(outcome.log());
        if (outcome.noisy()) {
            log.add("the race was stopped: " + now.discards().size() + " blocks were disturbed");
        }
        contenders.forEach(contender ->
                measurement(contender, now, beside).ifPresent(measurement -> measurements.put(contender, measurement)));
        return outcome.ranked();
    }

    private Optional<Measurement> measurement(Contender contender, Timed now, @Nullable Arm beside) {
        List<Run> runs = now.runs(contender.name(), Mode.SUSTAINED);
        return runs.size() < BlockSummary.LEAST_BLOCKS
                ? Optional.empty()
                : Optional.of(Summaries.of(
                        problem,
                        Mode.SUSTAINED,
                        Stage.CONTEND,
                        runs,
                        Anchored.ratio(now, contender, beside, Mode.SUSTAINED)));
    }

    /** What the last race that a contender was in says of it; empty if there was none. */
    List<Measurement> measurements(Contender contender) {
        Measurement measurement = measurements.get(contender);
        return measurement == null ? List.of() : List.of(measurement);
    }

    /** The blocks of all races. */
    Timed timed() {
        return timed;
    }
}
