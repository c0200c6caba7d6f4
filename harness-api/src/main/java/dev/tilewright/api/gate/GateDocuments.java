package dev.tilewright.api.gate;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.model.trial.Discard;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A run as its users read it. */
final class GateDocuments {

    private GateDocuments() {}

    static GateRun of(
            GateRunRow run, List<GateCaseRow> cases, List<StageRow> stages, GateRun.@Nullable ErrorRates errorRates) {
        Map<Boolean, List<CaseResult>> results = results(cases, stages);
        return new GateRun(
                run.id(),
                run.gate(),
                run.state(),
                run.commit(),
                run.branch(),
                run.selector(),
                run.testbed(),
                run.verdict(),
                run.reason(),
                results.get(true),
                results.get(false),
                errorRates,
                run.gpuSeconds(),
                run.budgetSeconds(),
                run.retuneSeconds(),
                run.seed(),
                run.decision(),
                run.submittedBy(),
                run.error(),
                run.createdAt(),
                run.finishedAt());
    }

    /** Of the user's cases ({@code true}), and of the sentinels. */
    static Map<Boolean, List<CaseResult>> results(List<GateCaseRow> cases, List<StageRow> stages) {
        return cases.stream()
                .collect(Collectors.partitioningBy(
                        each -> each.sentinel() == null,
                        Collectors.mapping(each -> result(each, stages), Collectors.toList())));
    }

    static CaseResult result(GateCaseRow each, List<StageRow> all) {
        CaseSpec spec = each.spec();
        List<StageRow> stages = all.stream()
                .filter(stage ->
                        stage.ordinal() == each.ordinal() && stage.number() != StageRow.TUNED && stage.taken() != null)
                .toList();
        StageRow.Taken last = stages.isEmpty() ? null : stages.getLast().taken();
        GateCaseRow.CaseVerdict verdict = each.verdict();
        return new CaseResult(
                spec.name(),
                spec.problem(),
                side(spec.candidate(), last == null ? null : last.candidate()),
                side(spec.baseline(), last == null ? null : last.baseline()),
                spec.margins(),
                spec.weight(),
                spec.accept(),
                spec.source(),
                verdict == null ? null : verdict.verdict(),
                verdict == null ? "" : verdict.reason(),
                verdict == null ? null : verdict.effect(),
                stages.stream().map(GateDocuments::stage).toList(),
                each.waiver(),
                each.retune());
    }

    private static CaseResult.Side side(GateKernel kernel, CaseResult.@Nullable Side known) {
        return known == null ? new CaseResult.Side(CaseTasks.words(kernel), null, null, null, null, null, "") : known;
    }

    private static CaseResult.Stage stage(StageRow stage) {
        StageRow.Taken taken = Objects.requireNonNull(stage.taken());
        return new CaseResult.Stage(
                stage.number(),
                taken.verdict(),
                taken.effect(),
                taken.counted(),
                taken.discards().size(),
                reasons(taken.discards()),
                taken.log());
    }

    private static List<String> reasons(List<Discard> discards) {
        return discards.stream()
                .collect(Collectors.groupingBy(Discard::reason, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(entry -> entry.getValue() + " x " + entry.getKey())
                .toList();
    }
}
