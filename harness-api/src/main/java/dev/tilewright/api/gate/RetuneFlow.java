package dev.tilewright.api.gate;

import dev.tilewright.api.job.JobSpec;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.Retune;
import dev.tilewright.gate.document.Retune.State;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/**
 * Tunes cases of runs again that have failed, after their verdict: a job as any other, then a comparison of its fastest
 * kernel with the baseline, on the GPU of the run. Each step is one short transaction that begins with the version of
 * the run, as those before the verdict.
 */
@Service
record RetuneFlow(
        GateRunRepository runs,
        GateCaseRepository cases,
        CaseTasks tasks,
        RetuneJobs jobs,
        RunSteps steps,
        Clock clock) {

    private static final Logger LOG = LoggerFactory.getLogger(RetuneFlow.class);

    /** Moves a run on by one step; false if there is none now. */
    boolean step(UUID id) {
        Optional<GateRunRow> run = runs.find(id).filter(GateRunRow::retuning);
        if (run.isEmpty()) {
            return false;
        }
        List<StageRow> stages = cases.stages(id);
        RetunePlan plan = new RetunePlan(
                run.get(), cases.of(id), stages, tasks.of(StageRow.open(stages)), jobs::tuned, clock.instant());
        return write(plan, plan.next());
    }

    private boolean write(RetunePlan plan, RetuneStep step) {
        GateRunRow run = plan.run();
        return switch (step) {
            case RetuneStep.Wait _ -> false;
            case RetuneStep.Tune(GateCaseRow each, int seconds) -> tune(run, each, seconds);
            case RetuneStep.Time(GateCaseRow each, GateKernel fastest) ->
                ifStill(run, () -> {
                    cases.ask(run.id(), tasks.ask(run, GateRule.STANDARD, each.ofTuned(fastest), StageRow.TUNED));
                    note(
                            run,
                            each,
                            new Retune(
                                    State.COMPARING,
                                    CaseTasks.words(fastest) + " is compared with the baseline",
                                    Objects.requireNonNull(each.retune()).job(),
                                    fastest,
                                    null,
                                    null));
                });
            case RetuneStep.Take(GateCaseRow each, StageRow stage, var task) -> {
                Retune known = Objects.requireNonNull(each.retune());
                CaseTasks.Answer answer = CaseTasks.read(
                        GateRule.STANDARD,
                        each.ofTuned(Objects.requireNonNull(known.kernel())),
                        task,
                        StageRow.gpu(plan.stages()),
                        clock.instant());
                yield ifStill(run, () -> {
                    cases.take(run.id(), stage.with(answer.taken()), answer.blocks());
                    note(run, each, compared(known, answer.taken()));
                });
            }
            case RetuneStep.End(GateCaseRow each, Retune retune) -> ifStill(run, () -> end(run, each, retune));
            case RetuneStep.Done _ -> ifStill(run, () -> runs.endRetuning(run.id())) && false;
        };
    }

    private boolean tune(GateRunRow run, GateCaseRow each, int seconds) {
        try {
            JobSpec checked = jobs.read(run, each, seconds);
            return ifStill(run, () -> {
                UUID job = jobs.store(run, checked);
                note(
                        run,
                        each,
                        new Retune(
                                State.TUNING,
                                "a job looks for the fastest kernel, for at most " + seconds + " s",
                                job,
                                null,
                                null,
                                null));
            });
        } catch (ApiProblem refused) {
            return ifStill(
                    run, () -> note(run, each, Retune.of(State.UNKNOWN, "its job was refused: " + refused.reasons())));
        }
    }

    /** The result of retuning by the blocks of the fastest kernel. */
    private static Retune compared(Retune known, StageRow.Taken taken) {
        State state = switch (taken.verdict()) {
            case PASS, FASTER, UNCHANGED_BINARY -> State.RECOVERED;
            case WARN, FAIL -> State.NOT_RECOVERED;
            case INCONCLUSIVE, INVALID -> State.UNKNOWN;
        };
        return new Retune(
                state,
                CaseTasks.words(Objects.requireNonNull(known.kernel())) + ": " + taken.reason(),
                known.job(),
                known.kernel(),
                taken.candidate(),
                taken.effect());
    }

    private void note(GateRunRow run, GateCaseRow each, Retune retune) {
        cases.retune(run.id(), each.ordinal(), retune);
        LOG.info("gate run {}, case {}: {}, because {}", run.id(), each.spec().name(), retune.words(), retune.reason());
    }

    /** Cancels the work of a retuning that is not wanted any more. */
    private void end(GateRunRow run, GateCaseRow each, Retune retune) {
        if (retune.job() != null) {
            jobs.drop(retune.job());
        }
        tasks.cancel(cases.stages(run.id()).stream()
                .filter(stage -> stage.ordinal() == each.ordinal() && stage.number() == StageRow.TUNED)
                .toList());
        note(run, each, retune);
    }

    /** Ends all that is tuned again, in the transaction of who wants it. */
    void stop(GateRunRow run, String reason) {
        if (runs.takeRetuning(run.id())) {
            cases.of(run.id()).stream()
                    .filter(Retuning::isOpen)
                    .forEach(each ->
                            end(run, each, Objects.requireNonNull(each.retune()).to(State.UNKNOWN, reason)));
            runs.endRetuning(run.id());
        }
    }

    /** Ends what cannot be moved on. */
    void giveUp(UUID id, String error) {
        steps.giveUp(id, () -> runs.find(id).filter(GateRunRow::retuning).ifPresent(run -> stop(run, error)));
    }

    private boolean ifStill(GateRunRow run, Runnable write) {
        return steps.write(() -> runs.takeRetuning(run.id(), run.version()), write);
    }
}
