package dev.tilewright.api.gate;

import dev.tilewright.api.task.GpuAddress;
import dev.tilewright.api.task.TaskDesk;
import dev.tilewright.api.task.TaskRow;
import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.decision.Sentinel;
import dev.tilewright.gate.decision.StageDecision;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateBlocks;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Cases as tasks of a GPU: what is asked, and what an answer means. */
@Component
record CaseTasks(TaskDesk desk) {

    /** As the queue calls them. */
    static final String KIND = "gate";

    /** A task and what is stored once it is over. */
    record Answer(StageRow.Taken taken, GateBlocks.Columns blocks) {}

    /** Queues a stage of a case; inside the transaction that notes it. */
    StageRow ask(GateRunRow run, GateRule rule, GateCaseRow each, int number) {
        // What is found by tuning again gets data and an order that no case of the run has had.
        long seed = number == StageRow.TUNED
                ? run.seed() - 1 - each.ordinal()
                : run.seed() + 2L * each.ordinal() + number - 1;
        UUID task = desk.queue(KIND, run.selector(), run.address(), task(rule, each, number, seed), run.submittedBy());
        return new StageRow(each.ordinal(), number, task, seed, null);
    }

    /** Keeps a task at the GPU that has it; false if that one has it no more. */
    boolean pin(UUID task, GpuAddress address) {
        return desk.pin(task, address);
    }

    /** The tasks of these stages. */
    Map<UUID, TaskRow> of(List<StageRow> stages) {
        return desk.all(KIND, stages.stream().map(StageRow::taskId).toList()).stream()
                .collect(Collectors.toMap(TaskRow::id, Function.identity()));
    }

    /** Nobody wants these any more. */
    void cancel(List<StageRow> stages) {
        // By id: two transactions that drop several wait for each other in no ring.
        stages.stream().map(StageRow::taskId).sorted().forEach(desk::drop);
    }

    private static GpuTask task(GateRule rule, GateCaseRow each, int number, long seed) {
        CaseSpec spec = each.spec();
        GpuTask.Side candidate = side(spec.candidate(), each.sentinel() == Sentinel.SLOWED);
        return new GpuTask.Compare(
                spec.problem().problem(),
                candidate,
                side(spec.baseline(), false),
                each.sentinel() != null,
                seed,
                rule.stopRule(spec.margins()),
                number > 1,
                true,
                spec.accept());
    }

    private static GpuTask.Side side(GateKernel kernel, boolean slowed) {
        if (kernel.peer() != null) {
            return new GpuTask.Side.OfPeer(kernel.peer(), kernel.algorithm());
        }
        return new GpuTask.Side.Own(
                Objects.requireNonNull(kernel.family()),
                Objects.requireNonNull(kernel.config()).whole(),
                slowed ? Sentinel.SLOWED.slowedByPercent() / 100 : null);
    }

    /** A kernel as people read it. */
    static String words(GateKernel kernel) {
        return kernel.peer() == null
                ? kernel.family() + " "
                        + Objects.requireNonNull(kernel.config()).whole().canonical()
                : kernel.peer() + (kernel.algorithm() == null ? "" : " algorithm " + kernel.algorithm());
    }

    /**
     * The outcome of a task that is over.
     *
     * @param gpu id of the one that has the run; empty before something was timed
     */
    static Answer read(GateRule rule, GateCaseRow each, TaskRow task, Optional<String> gpu, Instant now) {
        double seconds = task.leasedAt() == null || task.finishedAt() == null
                ? 0
                : Math.max(
                        0, Duration.between(task.leasedAt(), task.finishedAt()).toMillis() / 1e3);
        if (task.result() instanceof GpuTaskResult.Compared compared) {
            return read(rule, each, compared, gpu, seconds, now);
        }
        String reason = Objects.requireNonNullElse(task.error(), "its task was cancelled");
        return new Answer(
                new StageRow.Taken(
                        now,
                        seconds,
                        GateVerdict.INCONCLUSIVE,
                        "nothing was measured: " + reason,
                        null,
                        0,
                        null,
                        List.of(),
                        List.of(),
                        null,
                        null,
                        null,
                        ""),
                GateBlocks.Columns.NONE);
    }

    private static Answer read(
            GateRule rule,
            GateCaseRow each,
            GpuTaskResult.Compared compared,
            Optional<String> gpu,
            double seconds,
            Instant now) {
        CaseResult.Side candidate = side(each.spec().candidate(), compared.first());
        CaseResult.Side baseline = side(each.spec().baseline(), compared.second());
        List<String> doubts = new ArrayList<>(compared.doubts());
        gpu.filter(first -> compared.gpu() != null && !first.equals(compared.gpu()))
                .ifPresent(first -> doubts.add("timed on GPU " + compared.gpu() + ", the run is on " + first));
        StageBlocks blocks = StageBlocks.of(compared, doubts);
        StageDecision said = said(rule, each, compared, candidate, baseline, blocks);
        return new Answer(
                new StageRow.Taken(
                        now,
                        seconds,
                        said.verdict(),
                        said.reason(),
                        said.effect(),
                        said.blocks(),
                        blocks.baselineNs(),
                        compared.discards(),
                        doubts,
                        compared.gpu(),
                        candidate,
                        baseline,
                        compared.log()),
                blocks.columns());
    }

    private static StageDecision said(
            GateRule rule,
            GateCaseRow each,
            GpuTaskResult.Compared compared,
            CaseResult.Side candidate,
            CaseResult.Side baseline,
            StageBlocks blocks) {
        StageDecision wrong = wrong("candidate", candidate);
        if (wrong == null) {
            wrong = wrong("baseline", baseline);
        }
        if (wrong != null) {
            return wrong;
        }
        if (compared.verdict() == GpuTaskResult.CompareVerdict.EQUAL) {
            return new StageDecision(
                    GateVerdict.UNCHANGED_BINARY,
                    null,
                    0,
                    "module and launch are those of the baseline: nothing was timed");
        }
        return Decisions.stage(rule, each.spec().margins(), blocks);
    }

    /** The decision on a case with a kernel that failed; {@code null} if both ran right. */
    private static @Nullable StageDecision wrong(String name, CaseResult.Side side) {
        TrialOutcome outcome = Objects.requireNonNull(side.outcome());
        return switch (outcome) {
            case COMPLETED -> null;
            case INFRASTRUCTURE, CANCELLED, NOISE, UNASSEMBLED ->
                new StageDecision(GateVerdict.INCONCLUSIVE, null, 0, finding(name, side));
            case PRUNED, BUILD, COMPILE, SPILL, LAUNCH, TIMEOUT, CRASH, MISMATCH, HAZARD, IMPLAUSIBLE, QUARANTINED ->
                new StageDecision(GateVerdict.INVALID, null, 0, finding(name, side));
        };
    }

    private static String finding(String name, CaseResult.Side side) {
        String found = side.checked() != null && !side.checked().finding().isBlank()
                ? side.checked().finding()
                : side.log();
        return "the " + name + " ended " + side.outcome()
                + (found.isBlank() ? "" : ": " + found.lines().findFirst().orElse(""));
    }

    private static CaseResult.Side side(GateKernel kernel, GpuTaskResult.ComparedSide side) {
        return new CaseResult.Side(
                words(kernel),
                side.ptxHash(),
                side.cubinHash(),
                side.outcome(),
                side.checked(),
                side.errorRatio(),
                side.log());
    }
}
