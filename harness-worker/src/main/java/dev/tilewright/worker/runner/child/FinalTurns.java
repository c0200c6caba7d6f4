package dev.tilewright.worker.runner.child;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.measure.Arm;
import dev.tilewright.worker.measure.SecondStage;
import dev.tilewright.worker.measure.SteadyState;
import dev.tilewright.worker.measure.Timed;
import dev.tilewright.worker.runner.link.RunnerRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stage {@code final}: the finalists in turns, sustained ones in two stages.
 *
 * @param anchor runs beside a finalist that is alone; {@code null} if there is none
 * @param log is told how many turns were run and why, and what disturbed them
 */
record FinalTurns(Workbench bench, @Nullable Arm anchor, List<String> log) {

    /**
     * What the final gave.
     *
     * @param finalists ours and those of the peers
     * @param anchor that ran with them; {@code null} if none did
     * @param noisy modes in which too many turns were discarded
     */
    record Result(List<Contender> finalists, @Nullable Arm anchor, Timed timed, Set<Mode> noisy) {}

    Result run(RunnerRequest.RunFinal round, List<Contender> finalists) {
        List<Arm> all = new ArrayList<>(finalists);
        Arm beside = beside(finalists);
        if (beside != null && !all.contains(beside)) {
            all.add(beside);
        }
        Timed timed = Timed.NOTHING;
        Set<Mode> noisy = EnumSet.noneOf(Mode.class);
        try (SmHolders.Hold hold = bench.holders().hold(round.problem().scenario())) {
            hold.note("while timed").ifPresent(log::add);
            for (Mode mode : round.modes()) {
                SteadyState turns = new SteadyState(bench.stopwatch(), bench.plan(), mode, Stage.FINAL, round.seed());
                boolean calm = turns.run(all, bench.plan().turns());
                if (calm && mode == Mode.SUSTAINED) {
                    calm = turns.run(all, more(turns.timed(), finalists));
                }
                if (!calm) {
                    noisy.add(mode);
                }
                timed = timed.plus(turns.timed());
            }
            hold.confirm();
        }
        timed.notes().stream().distinct().forEach(log::add);
        return new Result(finalists, beside, timed, noisy);
    }

    /**
     * The anchor if there is nothing else to compare with; {@code null} if none runs. One that is far from the best
     * draws less than the power limit, the clock rises, and for most of a second the arms after it pay for that.
     */
    private @Nullable Arm beside(List<Contender> finalists) {
        return finalists.size() == 1 ? anchor : null;
    }

    private int more(Timed first, List<Contender> finalists) {
        SecondStage second = SecondStage.after(
                first,
                names(finalists, Contender::isOurs),
                names(finalists, contender -> !contender.isOurs()),
                bench.plan().ratio());
        log.add(second.why());
        return second.more();
    }

    private static List<String> names(List<Contender> finalists, Predicate<Contender> which) {
        return finalists.stream().filter(which).map(Contender::name).toList();
    }
}
