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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stage {@code contend}: who of the best screens, or of a peer's kernels, goes on to the final. At the same clock,
 * where rounds are short, those leave that are far behind; the others race on in steady state, where the clock that a
 * kernel leaves itself counts too. Ours race in two heats: first one of each team, then those that are left with the
 * others of their teams, whose screens could not say which of them draws least.
 */
final class Contest {

    /** So many race in the second heat: turns of more take longer than they are worth. */
    private static final int SECOND_HEAT = 12;

    /** By so much others of a team were seen to be faster than its first. */
    private static final double OF_ONE_TEAM = 0.02;

    private final Workbench bench;
    private final Problem problem;
    private final @Nullable Arm anchor;
    private final List<String> log;
    private final Map<Contender, Measurement> measurements = new LinkedHashMap<>();
    private final Set<Contender> raced = new HashSet<>();
    private Timed timed = Timed.NOTHING;

    /**
     * @param anchor runs in every block at the same clock; {@code null} if there is none
     * @param log is told who left, and what disturbed the race
     */
    Contest(Workbench bench, Problem problem, @Nullable Arm anchor, List<String> log) {
        this.bench = bench;
        this.problem = problem;
        this.anchor = anchor;
        this.log = log;
    }

    /**
     * Races until at most so many are left; without a race if there are not more.
     *
     * @param contenders the fastest screen first
     */
    List<Contender> finalists(List<Contender> contenders, int wanted, long seed) {
        Map<Integer, List<Contender>> teams = contenders.stream()
                .collect(Collectors.groupingBy(Contender::team, LinkedHashMap::new, Collectors.toList()));
        List<Contender> firsts = teams.values().stream().map(List::getFirst).toList();
        List<Contender> left = atMost(wanted, unbeaten(firsts, wanted, seed));
        List<Contender> second = Stream.concat(left.stream(), others(left, teams))
                .limit(Math.max(wanted, SECOND_HEAT))
                .toList();
        if (second.size() <= wanted || second.size() == left.size()) {
            return second;
        }
        log.add("second heat: with " + (second.size() - left.size()) + " others of the teams that lead");
        return atMost(wanted, inSteadyState(second, wanted, seed));
    }

    /** Those of the teams that lead, one of each in turn, the leader's first. */
    private Stream<Contender> others(List<Contender> left, Map<Integer, List<Contender>> teams) {
        List<List<Contender>> leading = left.stream()
                .filter(first -> isNear(first, left.getFirst()))
                .map(first -> teams.get(first.team()))
                .toList();
        int most = leading.stream().mapToInt(List::size).max().orElse(0);
        return IntStream.range(1, most)
                .boxed()
                .flatMap(turn ->
                        leading.stream().filter(team -> turn < team.size()).map(team -> team.get(turn)));
    }

    /** Whether another of its team may still win; so it may where nobody raced. */
    private boolean isNear(Contender first, Contender leader) {
        Measurement one = measurements.get(first);
        Measurement best = measurements.get(leader);
        return one == null || best == null || one.medianNs() <= (1 + OF_ONE_TEAM) * best.medianNs();
    }

    private static List<Contender> atMost(int wanted, List<Contender> ranked) {
        return ranked.subList(0, Math.min(wanted, ranked.size()));
    }

    /** Races likewise, and gives all of which it is not certain enough that they are slower than the leader. */
    List<Contender> unbeaten(List<Contender> contenders, int wanted, long seed) {
        if (contenders.size() <= wanted) {
            return contenders;
        }
        TimingPlan plan = bench.plan();
        SameClock sameClock = new SameClock(bench.stopwatch(), plan, Stage.CONTEND, seed);
        sameClock.settle(contenders, plan.settle());
        List<Contender> left = race(sameClock, plan.sameClock(), contenders, anchor, wanted);
        return left.size() > wanted ? inSteadyState(left, wanted, seed) : left;
    }

    private List<Contender> inSteadyState(List<Contender> contenders, int wanted, long seed) {
        TimingPlan plan = bench.plan();
        SteadyState turns = new SteadyState(bench.stopwatch(), plan, Mode.SUSTAINED, Stage.CONTEND, seed, turnsSoFar());
        return race(turns, plan.steadyState(), contenders, null, wanted);
    }

    private int turnsSoFar() {
        return timed.blocks().stream()
                .filter(block -> block.question() == Question.STEADY_STATE)
                .mapToInt(block -> block.index() + 1)
                .max()
                .orElse(0);
    }

    private List<Contender> race(
            Rounds rounds, RacePlan plan, List<Contender> contenders, @Nullable Arm beside, int wanted) {
        Race.Outcome<Contender> outcome = new Race(rounds, plan).run(contenders, beside, wanted);
        Timed now = rounds.timed();
        timed = timed.plus(now);
        raced.addAll(contenders);
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

    /** Whether it was in any race. */
    boolean raced(Contender contender) {
        return raced.contains(contender);
    }

    /** What the last race that a contender was in says of it; empty if there was none. */
    List<Measurement> measurements(Contender contender) {
        Measurement measurement = measurements.get(contender);
        return measurement == null ? List.of() : List.of(measurement);
    }

    /** The blocks of both races. */
    Timed timed() {
        return timed;
    }
}
