package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.measure.FinalPlan;
import dev.tilewright.worker.gpu.measure.FinalRun;
import dev.tilewright.worker.gpu.measure.SteadyState;
import dev.tilewright.worker.gpu.measure.Timed;
import dev.tilewright.worker.gpu.stats.race.Turns;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stage {@code final}: the finalists in turns.
 *
 * @param plan how the sustained turns are run
 * @param anchor runs beside a finalist that is alone; {@code null} if there is none
 * @param log is told which arms left, how many turns were run and why, and what disturbed them
 */
record FinalTurns(Workbench bench, FinalPlan plan, @Nullable Arm anchor, List<String> log) {

    /**
     * The result of the final.
     *
     * @param anchor that ran with them; {@code null} if none did
     * @param noisy modes of which nothing can be said, with the reason
     */
    record Result(Finalists finalists, @Nullable Arm anchor, Timed timed, Map<Mode, String> noisy) {}

    Result run(RunnerRequest.RunFinal round, Finalists finalists) {
        List<Arm> all = new ArrayList<>(finalists.all());
        Arm beside = beside(finalists);
        if (beside != null && !all.contains(beside)) {
            all.add(beside);
        }
        Timed timed = Timed.NOTHING;
        Map<Mode, String> noisy = new EnumMap<>(Mode.class);
        try (SmHolders.Hold hold = bench.holders().hold(round.problem().scenario())) {
            hold.note("while timed").ifPresent(log::add);
            for (Mode mode : round.modes()) {
                SteadyState turns =
                        new SteadyState(bench.stopwatch(), bench.plan(), plan.turn(), mode, Stage.FINAL, round.seed());
                boolean calm = all.isEmpty()
                        || switch (mode) {
                            case SUSTAINED -> sustained(turns, finalists, beside);
                            case COLD -> turns.run(all, bench.plan().coldTurns());
                        };
                if (!calm) {
                    noisy.put(mode, disturbed(mode, turns.timed()));
                } else if (mode == Mode.SUSTAINED) {
                    shared(all, turns.timed()).ifPresent(reason -> noisy.put(mode, reason));
                }
                timed = timed.plus(turns.timed());
            }
            hold.confirm();
        }
        timed.notes().stream().distinct().forEach(log::add);
        return new Result(finalists, beside, timed, noisy);
    }

    private static String disturbed(Mode mode, Timed timed) {
        return timed.discards().stream()
                .map(Discard::reason)
                .distinct()
                .collect(Collectors.joining(
                        "; ", "more than a fifth of the " + mode + " blocks had to be discarded (", ")"));
    }

    /** The reason by the spread of the arms that ran until the end, on a GPU whose processes cannot be observed. */
    private Optional<String> shared(List<Arm> all, Timed timed) {
        int most = all.stream()
                .mapToInt(arm -> timed.runs(arm.name(), Mode.SUSTAINED).size())
                .max()
                .orElse(0);
        List<Arm> last = all.stream()
                .filter(arm -> timed.runs(arm.name(), Mode.SUSTAINED).size() == most)
                .toList();
        return last.size() < 2 || most < Turns.MIN_TURNS
                ? Optional.empty()
                : bench.neighbours().spread(timed.turns(last, Mode.SUSTAINED).spread());
    }

    private boolean sustained(SteadyState turns, Finalists finalists, @Nullable Arm beside) {
        FinalRun.Outcome outcome = new FinalRun(turns, plan.rule())
                .run(new FinalRun.Field<>(finalists.ours(), finalists.peers(), finalists.guests(), beside));
        log.addAll(outcome.log());
        return outcome.calm();
    }

    /**
     * The anchor if there is nothing else to compare with; {@code null} if none runs. One that is far from the best
     * draws less than the power limit, the clock rises, and for most of a second the arms after it pay for that.
     */
    private @Nullable Arm beside(Finalists finalists) {
        return finalists.all().size() == 1 ? anchor : null;
    }
}
