package dev.tilewright.worker.gpu.measure;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The question of the steady state: in each turn every arm runs once, in an order drawn anew; before it is timed, an
 * arm runs alone until the clock has settled on its own load. In the cold mode each launch is behind a flush of L2
 * instead, which no load outlasts.
 */
public final class SteadyState implements Rounds {

    private final Stopwatch stopwatch;
    private final TimingPlan plan;
    private final TurnLength length;
    private final Mode mode;
    private final Random random;
    private final Ledger ledger;
    private final Map<String, Double> launchNs = new HashMap<>();

    /**
     * Begins with turn 0.
     *
     * @param length of a sustained turn
     * @param seed of the order of the arms
     */
    public SteadyState(Stopwatch stopwatch, TimingPlan plan, TurnLength length, Mode mode, Stage stage, long seed) {
        this(stopwatch, plan, length, mode, stage, seed, 0);
    }

    /**
     * Goes on where others of the same stage ended.
     *
     * @param first index of the first turn
     */
    public SteadyState(
            Stopwatch stopwatch, TimingPlan plan, TurnLength length, Mode mode, Stage stage, long seed, int first) {
        this.stopwatch = stopwatch;
        this.plan = plan;
        this.length = length;
        this.mode = mode;
        this.random = new Random(seed);
        this.ledger = new Ledger(stopwatch, stage, Question.STEADY_STATE, mode, first);
    }

    @Override
    public boolean run(List<? extends Arm> arms, int turns) {
        ledger.plan(turns);
        int done = 0;
        while (done < turns && !ledger.isNoisy()) {
            List<Arm> order = new ArrayList<>(arms);
            Collections.shuffle(order, random);
            if (ledger.take(order, this::time)) {
                done++;
            }
        }
        return !ledger.isNoisy();
    }

    private Run time(Arm arm) {
        return switch (mode) {
            case SUSTAINED -> settled(arm);
            case COLD -> stopwatch.cold(arm, plan.coldLaunches());
        };
    }

    private Run settled(Arm arm) {
        Double expected = launchNs.get(arm.name());
        if (expected == null) {
            expected = stopwatch.sustained(arm, plan.firstLaunches()).launchNs();
        }
        Run timed = stopwatch.settled(
                arm, plan.launches(arm, expected, length.settleNs()), plan.launches(arm, expected, length.timedNs()));
        launchNs.put(arm.name(), timed.launchNs());
        return timed;
    }

    @Override
    public Timed timed() {
        return ledger.timed();
    }
}
