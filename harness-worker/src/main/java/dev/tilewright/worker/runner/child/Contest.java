package dev.tilewright.worker.runner.child;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
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
 * where rounds are short, those leave that are far behind; the others race on in steady state, where the clock that a
 * kernel leaves itself counts too.
 */
final class Contest {

    private final Workbench bench;
    private final Problem problem;
    private final @Nullable Arm anchor;
    private final List<String> log;
    private final Map<Contender, Measurement> measurements = new LinkedHashMap<>();
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
        List<Contender> left = unbeaten(contenders, wanted, seed);
        return left.subList(0, Math.min(wanted, left.size()));
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
        if (left.size() > wanted) {
            SteadyState steady = new SteadyState(bench.stopwatch(), plan, Mode.SUSTAINED, Stage.CONTEND, seed);
            left = race(steady, plan.steadyState(), left, null, wanted);
        }
        return left;
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

    /** The blocks of both races. */
    Timed timed() {
        return timed;
    }
}
