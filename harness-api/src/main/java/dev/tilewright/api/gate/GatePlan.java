package dev.tilewright.api.gate;

import dev.tilewright.api.task.GpuAddress;
import dev.tilewright.api.task.TaskRow;
import dev.tilewright.gate.decision.Sentinel;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.model.exchange.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next step of a run from stored data alone: every replica comes to the same step.
 *
 * <p>All cases run on the GPU that took the first. One task is queued while another is run, so that the GPU does not
 * wait. When all cases have been measured that will be, sentinels follow, and cases that fail are measured again, in
 * another process.
 *
 * @param tasks of the stages that were not taken
 * @param standIn a kernel of ours for the problem of a case, whose text is known; empty if no family of the GPU takes
 *     it
 * @param offered whether a live worker offers a GPU that may go on with it
 */
record GatePlan(
        GateRunRow run,
        List<GateCaseRow> cases,
        List<StageRow> stages,
        Map<UUID, TaskRow> tasks,
        Function<CaseSpec, Optional<GateKernel>> standIn,
        BooleanSupplier offered,
        Instant now) {

    /** How long a run waits for a GPU that nobody offers. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    /** One that is run, one that is queued. */
    private static final int TASKS_AT_ONCE = 2;

    GateStep next() {
        for (StageRow open : open()) {
            TaskRow task = tasks.get(open.taskId());
            if (task == null) {
                return new GateStep.Fail("the task of case '" + of(open).spec().name() + "' is not there any more");
            }
            if (run.address() == null && task.address() != null && task.state() != TaskState.QUEUED) {
                return new GateStep.Bind(task.address(), task.id());
            }
            if (task.isOver()) {
                return run.address() == null
                        ? new GateStep.Fail("no GPU has taken it: "
                                + Objects.requireNonNullElse(task.error(), "its task was cancelled"))
                        : new GateStep.Take(of(open), open, task);
            }
        }
        return asked().orElseGet(() -> open().isEmpty() ? new GateStep.Finish() : waiting());
    }

    /** Id of the GPU that has it, once it has timed something. */
    Optional<String> gpu() {
        return StageRow.gpu(stages);
    }

    private List<StageRow> open() {
        return stages.stream().filter(stage -> stage.taken() == null).toList();
    }

    private GateCaseRow of(StageRow stage) {
        return cases.get(stage.ordinal());
    }

    /** The next task, if there is room for one. */
    private Optional<GateStep> asked() {
        List<StageRow> open = open();
        boolean queued = open.stream().anyMatch(stage -> task(stage).state() == TaskState.QUEUED);
        boolean first = stages.isEmpty();
        if (queued || open.size() >= TASKS_AT_ONCE || (run.address() == null && !first)) {
            return Optional.empty();
        }
        Optional<GateStep> unmeasured = unmeasured();
        // The last case may be the one to watch the instrument by.
        return unmeasured.isPresent() || open.size() == 1 && sentinelCases().isEmpty()
                ? unmeasured
                : sentinels().or(this::unconfirmed);
    }

    private TaskRow task(StageRow stage) {
        return Objects.requireNonNull(tasks.get(stage.taskId()));
    }

    /** When all cases have been measured that will be: those of the service itself. */
    private Optional<GateStep> sentinels() {
        List<GateCaseRow> sentinels = sentinelCases();
        if (!sentinels.isEmpty()) {
            return sentinels.stream()
                    .filter(each -> stage(each, 1).isEmpty())
                    .findFirst()
                    .map(each -> new GateStep.Ask(each, 1));
        }
        List<GateCaseRow> timed = cases.stream()
                .filter(each -> baselineNs(each).isPresent())
                .sorted(Comparator.comparing(each -> baselineNs(each).orElseThrow(), Comparator.reverseOrder()))
                .toList();
        return timed.stream()
                .flatMap(each -> sentinels(each, slowable(each)))
                .findFirst()
                .or(() -> timed.stream()
                        .flatMap(each -> sentinels(each, standIn.apply(each.spec())))
                        .findFirst());
    }

    private static Stream<GateStep> sentinels(GateCaseRow each, Optional<GateKernel> kernel) {
        return kernel.stream().map(known -> new GateStep.AddSentinels(each.spec(), known));
    }

    private List<GateCaseRow> sentinelCases() {
        return cases.stream().filter(each -> each.sentinel() != null).toList();
    }

    /**
     * A kernel whose text is known, so that a slowed twin of it can be made; the baseline if that is one. Of a peer and
     * of a cubin there is no text, and where a run has nothing else a kernel of ours stands in.
     */
    private Optional<GateKernel> slowable(GateCaseRow each) {
        return taken(each, 1)
                .flatMap(taken -> hasText(taken.baseline())
                        ? Optional.of(each.spec().baseline())
                        : Optional.of(each.spec().candidate()).filter(_ -> hasText(taken.candidate())));
    }

    private static boolean hasText(CaseResult.@Nullable Side side) {
        return side != null && side.ptxHash() != null;
    }

    /** Time of a launch: the longer, the finer can a twin be slowed. Empty of a case that was not timed. */
    private Optional<Double> baselineNs(GateCaseRow each) {
        return taken(each, 1).filter(StageRow.Taken::isTimed).map(StageRow.Taken::baselineNs);
    }

    /** The first case that has not been measured; none if it would no longer fit into the budget. */
    private Optional<GateStep> unmeasured() {
        return cases.stream()
                .filter(each -> each.sentinel() == null && stage(each, 1).isEmpty())
                .findFirst()
                .filter(each -> fits(1 + sentinelsToCome()))
                .map(each -> new GateStep.Ask(each, 1));
    }

    private int sentinelsToCome() {
        int asked = (int) sentinelCases().stream()
                .filter(each -> stage(each, 1).isPresent())
                .count();
        return Sentinel.values().length - asked;
    }

    /** The first failure that another process has to confirm, when all cases have been measured that fit. */
    private Optional<GateStep> unconfirmed() {
        if (!open().isEmpty() || !fits(1)) {
            return Optional.empty();
        }
        Set<Integer> toConfirm = Decisions.toConfirm(Decisions.rule(cases), cases, stages);
        return cases.stream()
                .filter(each ->
                        toConfirm.contains(each.ordinal()) && stage(each, 2).isEmpty())
                .findFirst()
                .map(each -> new GateStep.Ask(each, 2));
    }

    private Optional<StageRow> stage(GateCaseRow each, int number) {
        return stages.stream()
                .filter(stage -> stage.ordinal() == each.ordinal() && stage.number() == number)
                .findFirst();
    }

    private Optional<StageRow.Taken> taken(GateCaseRow each, int number) {
        return stage(each, number).map(StageRow::taken);
    }

    /** Whether there is time for so many more tasks, if all take as long as the longest so far. */
    private boolean fits(int more) {
        Double budget = run.budgetSeconds();
        return budget == null || spent() + more * longest() <= budget;
    }

    /** The GPU time of what is over, and of what is asked already. */
    private double spent() {
        return run.gpuSeconds()
                + open().stream()
                        .mapToDouble(stage -> Math.max(elapsed(task(stage)), longest()))
                        .sum();
    }

    private double elapsed(TaskRow task) {
        Instant since = task.leasedAt();
        return since == null ? 0 : Duration.between(since, now).toMillis() / 1e3;
    }

    private double longest() {
        return stages.stream()
                .map(StageRow::taken)
                .filter(Objects::nonNull)
                .mapToDouble(StageRow.Taken::seconds)
                .max()
                .orElse(0);
    }

    /** Nothing can be done: is somebody there who will? */
    private GateStep waiting() {
        boolean held = open().stream().anyMatch(stage -> task(stage).state() == TaskState.LEASED);
        Instant since = run.aloneSince();
        if (held || offered.getAsBoolean()) {
            return since == null ? new GateStep.Wait() : new GateStep.Alone(null);
        }
        if (since == null) {
            return new GateStep.Alone(now);
        }
        return Duration.between(since, now).compareTo(PATIENCE) < 0
                ? new GateStep.Wait()
                : new GateStep.Fail(
                        "no live worker has offered " + wanted() + " for " + PATIENCE.toMinutes() + " minutes");
    }

    private String wanted() {
        GpuAddress address = run.address();
        return address == null ? "a GPU that device '" + run.selector() + "' accepts" : address + ", which has the run";
    }
}
