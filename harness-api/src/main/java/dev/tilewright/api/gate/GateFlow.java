package dev.tilewright.api.gate;

import dev.tilewright.api.gate.waiver.WaiverRepository;
import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.decision.RunDecision;
import dev.tilewright.gate.decision.Sentinel;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/**
 * The steps of a run, each a few rows. What takes thought is thought before; the transaction begins with the version of
 * the run, and ends there if somebody else has moved it on.
 */
@Service
record GateFlow(
        GateRunRepository runs,
        GateCaseRepository cases,
        WaiverRepository waivers,
        CaseTasks tasks,
        Retuning retuning,
        GateMeters meters,
        RunSteps steps,
        Clock clock) {

    private static final Logger LOG = LoggerFactory.getLogger(GateFlow.class);

    /** Writes a step; true if it was written, so that there may be another one at once. */
    boolean write(GatePlan plan, GateStep step) {
        UUID id = plan.run().id();
        GateRule rule = Decisions.rule(plan.cases());
        Instant now = clock.instant();
        return switch (step) {
            case GateStep.Wait _ -> false;
            case GateStep.Bind(var address, UUID task) ->
                ifStill(plan, () -> {
                    // If somebody else has it by now, the next look finds that one.
                    if (tasks.pin(task, address)) {
                        runs.bind(id, address, task);
                        LOG.info("gate run {} runs on {}", id, address);
                    }
                });
            case GateStep.Take(GateCaseRow each, StageRow stage, var task) -> {
                CaseTasks.Answer answer = CaseTasks.read(rule, each, task, plan.gpu(), now);
                StageRow taken = stage.with(answer.taken());
                yield ifStill(plan, () -> {
                    cases.take(id, taken, answer.blocks());
                    runs.spend(id, answer.taken().seconds());
                });
            }
            case GateStep.AddSentinels(CaseSpec of, var kernel) ->
                ifStill(
                        plan,
                        () -> cases.insert(
                                id,
                                IntStream.range(0, Sentinel.values().length)
                                        .mapToObj(i -> new GateCaseRow(
                                                plan.cases().size() + i,
                                                Sentinel.values()[i],
                                                of.watchedBy(Sentinel.values()[i], kernel)))
                                        .toList()));
            case GateStep.Ask(GateCaseRow each, int number) ->
                ifStill(plan, () -> cases.ask(id, tasks.ask(plan.run(), rule, each, number)));
            case GateStep.Alone(Instant since) -> ifStill(plan, () -> runs.alone(id, since)) && false;
            case GateStep.Finish _ -> finish(plan, rule, now);
            case GateStep.Fail(String error) -> ifStill(plan, () -> end(plan, error, now));
        };
    }

    private boolean finish(GatePlan plan, GateRule rule, Instant now) {
        UUID id = plan.run().id();
        Set<Integer> toConfirm = Decisions.toConfirm(rule, plan.cases(), plan.stages());
        List<GateCaseRow> decided = plan.cases().stream()
                .map(each -> decided(plan, each, toConfirm, now))
                .toList();
        RunDecision verdict = Decisions.run(plan.run(), decided, plan.stages());
        List<GateCaseRow> told = retuning.begun(plan.run(), decided, verdict.trusted());
        boolean written = ifStill(plan, () -> {
            told.forEach(each -> cases.decide(id, each));
            runs.finish(id, verdict.verdict(), verdict.reason(), told.stream().anyMatch(Retuning::isOpen), now);
            LOG.info("gate run {}: {}, {}", id, verdict.verdict(), verdict.reason());
        });
        if (written) {
            meters.decided(verdict.verdict());
        }
        return written;
    }

    private GateCaseRow decided(GatePlan plan, GateCaseRow each, Set<Integer> toConfirm, Instant now) {
        GateCaseRow.CaseVerdict verdict = Decisions.of(plan.run(), each, plan.stages(), toConfirm);
        GateCaseRow decided = each.with(verdict, null);
        return each.sentinel() != null
                ? decided
                : each.with(verdict, Decisions.waiver(waivers, plan.run().gate(), decided, plan.stages(), now));
    }

    /** Ends a run without a verdict. */
    private void end(GatePlan plan, String error, Instant now) {
        tasks.cancel(plan.stages());
        runs.fail(plan.run().id(), error, now);
        LOG.info("gate run {}: failed, {}", plan.run().id(), error);
    }

    /** Ends a run that cannot be moved on. */
    void giveUp(UUID id, String error) {
        steps.giveUp(
                id,
                () -> runs.find(id).filter(run -> runs.take(id, run.version())).ifPresent(run -> {
                    tasks.cancel(cases.stages(id));
                    runs.fail(id, error, clock.instant());
                }));
    }

    private boolean ifStill(GatePlan plan, Runnable write) {
        return steps.write(() -> runs.take(plan.run().id(), plan.run().version()), write);
    }
}
