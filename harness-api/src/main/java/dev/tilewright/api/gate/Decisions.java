package dev.tilewright.api.gate;

import dev.tilewright.api.gate.waiver.WaiverRepository;
import dev.tilewright.gate.decision.CaseDecision;
import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.decision.RunDecision;
import dev.tilewright.gate.decision.StageDecision;
import dev.tilewright.gate.decision.Waiving;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decisions by the rules of {@code dev.tilewright.gate.decision} on stored data. */
final class Decisions {

    private Decisions() {}

    /** The rule of a run. */
    static GateRule rule(List<GateCaseRow> cases) {
        return GateRule.STANDARD.among(
                (int) cases.stream().filter(each -> each.sentinel() == null).count());
    }

    /** The cases that a second process has to look at, once all have been measured that will be. */
    static Set<Integer> toConfirm(GateRule rule, List<GateCaseRow> cases, List<StageRow> stages) {
        List<Integer> timed = new ArrayList<>();
        List<StageDecision> first = new ArrayList<>();
        for (GateCaseRow each : cases) {
            Optional<StageRow.Taken> taken = taken(stages, each.ordinal(), 1);
            if (each.sentinel() == null && taken.isPresent() && taken.get().effect() != null) {
                timed.add(each.ordinal());
                first.add(decision(taken.get()));
            }
        }
        List<Boolean> confirm = CaseDecision.toConfirm(first, rule);
        Set<Integer> ordinals = new HashSet<>();
        for (int i = 0; i < timed.size(); i++) {
            if (confirm.get(i)) {
                ordinals.add(timed.get(i));
            }
        }
        return ordinals;
    }

    /** The verdict on a case, when nothing more of it will be measured. */
    static GateCaseRow.CaseVerdict of(GateRunRow run, GateCaseRow each, List<StageRow> stages, Set<Integer> toConfirm) {
        Optional<StageRow.Taken> first = taken(stages, each.ordinal(), 1);
        if (first.isEmpty() && each.verdict() != null) {
            return each.verdict();
        }
        if (first.isEmpty()) {
            return new GateCaseRow.CaseVerdict(
                    GateVerdict.INCONCLUSIVE,
                    "not measured: the budget of " + run.budgetSeconds() + " s of GPU time did not suffice, "
                            + String.format(Locale.ROOT, "%.1f", run.gpuSeconds()) + " s were spent",
                    null);
        }
        Optional<StageRow.Taken> second = taken(stages, each.ordinal(), 2);
        if (each.sentinel() != null || first.get().effect() == null) {
            return verdict(first.get());
        }
        if (second.isPresent() && second.get().effect() == null) {
            // It did not run right there, or nothing was timed.
            return second.get().verdict() == GateVerdict.INVALID
                    ? verdict(second.get())
                    : new GateCaseRow.CaseVerdict(
                            GateVerdict.INCONCLUSIVE,
                            first.get().reason() + ", and no second process could confirm it: "
                                    + second.get().reason(),
                            first.get().effect());
        }
        CaseDecision decision = CaseDecision.of(
                decision(first.get()),
                toConfirm.contains(each.ordinal()),
                second.map(Decisions::decision).orElse(null));
        return new GateCaseRow.CaseVerdict(
                decision.verdict(),
                decision.reason(),
                second.orElse(first.get()).effect());
    }

    /** The decision on a whole run, when all of its cases have a verdict. */
    static RunDecision run(GateRunRow run, List<GateCaseRow> decided, List<StageRow> stages) {
        Map<Boolean, List<CaseResult>> results = GateDocuments.results(decided, stages);
        return RunDecision.of(
                results.get(true),
                results.get(false),
                run.testbed() == null ? null : run.testbed().kind());
    }

    /** The waiver that covers a decided case, if it needs one. */
    static CaseResult.@Nullable Waiver waiver(
            WaiverRepository waivers, String gate, GateCaseRow decided, List<StageRow> stages, Instant now) {
        CaseResult result = GateDocuments.result(decided, stages);
        String cubin = result.candidate().cubinHash();
        return decided.sentinel() != null
                        || cubin == null
                        || !Waiving.canWaive(Objects.requireNonNull(result.verdict()))
                ? null
                : waivers.covering(gate, result.name(), cubin, now).orElse(null);
    }

    private static GateCaseRow.CaseVerdict verdict(StageRow.Taken taken) {
        return new GateCaseRow.CaseVerdict(taken.verdict(), taken.reason(), taken.effect());
    }

    private static StageDecision decision(StageRow.Taken taken) {
        return new StageDecision(taken.verdict(), taken.effect(), taken.counted(), taken.reason());
    }

    private static Optional<StageRow.Taken> taken(List<StageRow> stages, int ordinal, int number) {
        return stages.stream()
                .filter(stage -> stage.ordinal() == ordinal && stage.number() == number)
                .findFirst()
                .map(StageRow::taken);
    }

    /** The decision by the blocks of one stage; discarded blocks are left out already. */
    static StageDecision stage(GateRule rule, Margins margins, StageBlocks blocks) {
        return StageDecision.of(rule, margins, blocks.pairs(), blocks.doubts());
    }
}
