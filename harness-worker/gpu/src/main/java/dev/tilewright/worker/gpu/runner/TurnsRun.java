package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.measure.SteadyState;
import dev.tilewright.worker.gpu.measure.Summaries;
import dev.tilewright.worker.gpu.measure.TimingPlan;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Kernels beside each other in the turns of a final. Each is verified, runs in every turn, and is verified again. None
 * leaves, because the times of all are wanted, also of those that are far behind. A turn lasts as long as where the
 * clock swings: kernels of such different rates draw different power, and each has to run at the clock of its own.
 */
final class TurnsRun {

    private final Workbench bench;
    private final Phases phases;
    private final List<String> log = new ArrayList<>();

    TurnsRun(Workbench bench, Phases phases) {
        this.bench = bench;
        this.phases = phases;
    }

    FinalResult run(RunnerRequest.RunTurns request) {
        List<String> neighbours = new ArrayList<>();
        bench.neighbours().name(neighbours);
        FinalResult result = loaded(request);
        bench.neighbours().name(neighbours);
        return result.beside(neighbours);
    }

    private FinalResult loaded(RunnerRequest.RunTurns request) {
        try (Releases releases = new Releases()) {
            phases.enter(Phases.REFERENCE);
            TestData data = bench.data(request.problem(), request.seed());
            request.kernels()
                    .forEach(
                            entrant -> data.reference(Ending.of(entrant.kernel().launch(), request.problem())));
            Lineup lineup = new Lineup(bench, data, releases, log);
            return lineup.untilFault(() -> timed(request, lineup), phases);
        } finally {
            phases.leave();
        }
    }

    private FinalResult timed(RunnerRequest.RunTurns request, Lineup lineup) {
        phases.enter(Phases.LOAD);
        request.kernels().forEach(lineup::load);
        phases.enter(Phases.VERIFY);
        lineup.verifyNew();
        phases.enter(Phases.FINAL);
        TimingPlan plan = bench.plan();
        SteadyState turns = new SteadyState(
                bench.stopwatch(), plan, plan.swinging().turn(), Mode.SUSTAINED, Stage.FINAL, request.seed());
        boolean calm = held(request, lineup.running(_ -> true), turns);
        phases.enter(Phases.VERIFY);
        lineup.verifyAll();
        phases.leave();
        log.addAll(turns.timed().notes());
        List<Report.Arm> arms = lineup.all().stream()
                .map(contender -> contender.report(measured(contender, turns, calm)))
                .toList();
        return new FinalResult(
                arms,
                List.of(),
                turns.timed().blocks().stream().map(FinalRunner::block).toList(),
                turns.timed().discards(),
                phases.timesNs(),
                String.join("\n", log));
    }

    private boolean held(RunnerRequest.RunTurns request, List<Competitor> running, SteadyState turns) {
        if (running.isEmpty()) {
            return true;
        }
        try (SmHolders.Hold hold = bench.holders().hold(request.problem().scenario())) {
            hold.note("while timed").ifPresent(log::add);
            boolean calm = turns.run(running, bench.plan().calm().rule().leastTurns());
            hold.confirm();
            return calm;
        }
    }

    private static List<Measurement> measured(Competitor contender, SteadyState turns, boolean calm) {
        if (!contender.isRunning()) {
            return List.of();
        }
        if (!calm) {
            contender.fail(TrialOutcome.NOISE, "more than a fifth of the turns had to be discarded");
            return List.of();
        }
        return List.of(
                Summaries.of(Mode.SUSTAINED, Stage.FINAL, turns.timed().runs(contender.name(), Mode.SUSTAINED), null));
    }
}
