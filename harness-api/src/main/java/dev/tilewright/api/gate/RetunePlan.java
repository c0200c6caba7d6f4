package dev.tilewright.api.gate;

import dev.tilewright.api.task.TaskRow;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.Retune;
import dev.tilewright.gate.document.Retune.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Decides the next step of a run whose cases are tuned again, from stored data alone. Cases are tuned one after
 * another, the greatest loss first, each with its share of the time.
 *
 * @param tasks of the stages that were not taken
 * @param tuned what has come of a job
 */
record RetunePlan(
        GateRunRow run,
        List<GateCaseRow> cases,
        List<StageRow> stages,
        Map<UUID, TaskRow> tasks,
        Function<UUID, RetuneJobs.Tuned> tuned,
        Instant now) {

    /** Beside the time of the search: for its final, for comparisons, and for work of others that comes first. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    static final Comparator<GateCaseRow> GREATEST_LOSS_FIRST = Comparator.comparingDouble(each ->
            -Objects.requireNonNull(Objects.requireNonNull(each.verdict()).effect())
                    .percent());

    RetuneStep next() {
        List<GateCaseRow> open = cases.stream().filter(Retuning::isOpen).toList();
        if (open.isEmpty()) {
            return new RetuneStep.Done();
        }
        if (now.isAfter(deadline())) {
            return unknown(
                    open.getFirst(),
                    "tuning it again did not end in time: " + run.retuneSeconds() + " s of retuneSeconds, and "
                            + PATIENCE.toMinutes() + " minutes for finals, comparisons and the work of others");
        }
        return open.stream()
                .filter(each -> retune(each).state() != State.WAITING)
                .findFirst()
                .map(this::further)
                .orElseGet(() -> new RetuneStep.Tune(
                        open.stream().min(GREATEST_LOSS_FIRST).orElseThrow(), share(open.size())));
    }

    private Instant deadline() {
        return Objects.requireNonNull(run.finishedAt()).plusSeconds(seconds()).plus(PATIENCE);
    }

    private int seconds() {
        return Objects.requireNonNull(run.retuneSeconds());
    }

    /** Whoever had a job has had its share, too. */
    private int share(int waiting) {
        long had = cases.stream()
                .filter(each -> each.retune() != null && each.retune().job() != null)
                .count();
        return (int) (seconds() / (had + waiting));
    }

    private RetuneStep further(GateCaseRow each) {
        Optional<StageRow> stage = stages.stream()
                .filter(one -> one.ordinal() == each.ordinal() && one.number() == StageRow.TUNED)
                .findFirst();
        return stage.isPresent() ? compared(each, stage.get()) : searched(each);
    }

    private RetuneStep searched(GateCaseRow each) {
        RetuneJobs.Tuned came = tuned.apply(Objects.requireNonNull(retune(each).job()));
        if (!came.isOver()) {
            return new RetuneStep.Wait();
        }
        GateKernel fastest = came.fastest();
        if (fastest == null) {
            return unknown(each, "its job has found no kernel: " + came.trouble());
        }
        return fastest.equals(each.spec().candidate())
                ? new RetuneStep.End(
                        each,
                        new Retune(
                                State.NOT_RECOVERED,
                                "the candidate is the fastest that was found",
                                retune(each).job(),
                                fastest,
                                null,
                                null))
                : new RetuneStep.Time(each, fastest);
    }

    private RetuneStep compared(GateCaseRow each, StageRow stage) {
        TaskRow task = tasks.get(stage.taskId());
        if (task == null) {
            return unknown(each, "its comparison is not there any more");
        }
        return task.isOver() ? new RetuneStep.Take(each, stage, task) : new RetuneStep.Wait();
    }

    private static RetuneStep unknown(GateCaseRow each, String reason) {
        return new RetuneStep.End(each, retune(each).to(State.UNKNOWN, reason));
    }

    private static Retune retune(GateCaseRow each) {
        return Objects.requireNonNull(each.retune());
    }
}
