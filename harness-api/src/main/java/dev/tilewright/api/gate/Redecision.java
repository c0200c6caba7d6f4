package dev.tilewright.api.gate;

import dev.tilewright.api.gate.waiver.WaiverRepository;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.decision.RunDecision;
import dev.tilewright.gate.decision.StageDecision;
import dev.tilewright.gate.decision.Waiving;
import dev.tilewright.gate.document.DecisionRequest;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.Margins;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Decides stored blocks again, by another rule. */
@Service
class Redecision {

    private final GateRunRepository runs;
    private final GateCaseRepository cases;
    private final WaiverRepository waivers;
    private final Clock clock;

    Redecision(GateRunRepository runs, GateCaseRepository cases, WaiverRepository waivers, Clock clock) {
        this.runs = runs;
        this.cases = cases;
        this.waivers = waivers;
        this.clock = clock;
    }

    /**
     * The run as it would be. Nothing is stored.
     *
     * @throws ApiProblem 404 if there is no such run, 422 if it is not finished or the rule is none
     */
    @Transactional(readOnly = true)
    GateRun of(UUID id, DecisionRequest request) {
        GateRunRow run = runs.find(id).orElseThrow(() -> ApiProblem.notFound("gate run", id));
        if (run.state() != GateRun.State.FINISHED) {
            throw ApiProblem.invalid("", "only a finished run is decided again: this one is " + run.state());
        }
        List<GateCaseRow> asked = cases.of(id).stream()
                .map(each -> within(each, request.margins()))
                .toList();
        GateRule rule = rule(request, asked);
        List<StageRow> stages = cases.blocks(id).stream()
                .map(each -> again(rule, asked.get(each.stage().ordinal()), each))
                .toList();
        Set<Integer> toConfirm = Decisions.toConfirm(rule, asked, stages);
        Instant now = clock.instant();
        List<GateCaseRow> decided = asked.stream()
                .map(each -> decided(run, each, stages, toConfirm, now))
                .toList();
        RunDecision verdict = Decisions.run(run, decided, stages);
        return GateDocuments.of(run.decided(verdict.verdict(), verdict.reason()), decided, stages, null);
    }

    private static GateCaseRow within(GateCaseRow each, @Nullable Margins margins) {
        return margins == null || each.sentinel() != null
                ? each
                : new GateCaseRow(
                        each.ordinal(), null, each.spec().within(margins), each.verdict(), null, each.retune());
    }

    private static GateRule rule(DecisionRequest request, List<GateCaseRow> asked) {
        GateRule usual = Decisions.rule(asked);
        List<Fault> faults = new ArrayList<>();
        GateRule rule = usual;
        try {
            rule = new GateRule(
                    usual.error(), Objects.requireNonNullElse(request.looks(), usual.looks()), usual.cases());
        } catch (IllegalArgumentException wrong) {
            faults.add(new Fault("/looks", String.valueOf(wrong.getMessage())));
        }
        try {
            rule = new GateRule(
                    Objects.requireNonNullElse(request.error(), usual.error()), rule.looks(), usual.cases());
        } catch (IllegalArgumentException wrong) {
            faults.add(new Fault("/error", String.valueOf(wrong.getMessage())));
        }
        ApiProblem.requireNone(faults);
        return rule;
    }

    /** Decides a stage by its blocks again; a stage that was decided without blocks keeps its decision. */
    private static StageRow again(GateRule rule, GateCaseRow each, StageRow.WithBlocks stored) {
        StageRow.Taken taken = Objects.requireNonNull(stored.stage().taken());
        if (!taken.isByBlocks()) {
            return stored.stage();
        }
        StageDecision said = Decisions.stage(
                rule, each.spec().margins(), new StageBlocks(stored.blocks(), taken.discards(), taken.doubts()));
        return stored.stage().with(taken.decided(said));
    }

    private GateCaseRow decided(
            GateRunRow run, GateCaseRow each, List<StageRow> stages, Set<Integer> toConfirm, Instant now) {
        GateCaseRow.CaseVerdict verdict = Decisions.of(run, each, stages, toConfirm);
        // What tuning again has said stays, with the margins of then, where there still is a loss.
        GateCaseRow decided = each.with(verdict, null).with(Waiving.canWaive(verdict.verdict()) ? each.retune() : null);
        return decided.with(verdict, Decisions.waiver(waivers, run.gate(), decided, stages, now));
    }
}
