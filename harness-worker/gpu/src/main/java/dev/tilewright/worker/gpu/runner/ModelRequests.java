package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.simulator.SimulatedRun;
import dev.tilewright.simulator.Simulator;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.List;

/**
 * Predicts instead of running: times and tiles per SM come from the model of a GPU, nothing is computed, and so there
 * is neither an error ratio nor an interval.
 */
final class ModelRequests implements RequestHandler {

    private final GpuConstants gpu;
    private final Simulator simulator;

    /**
     * @param gpu name of the model, such as {@code h200}
     * @throws IllegalArgumentException naming an unknown GPU and the known ones
     */
    ModelRequests(String gpu) {
        this.gpu = SimulatedGpus.named(gpu);
        this.simulator = Simulator.of(this.gpu);
    }

    /** Testbed of the model. */
    RunnerReply.Ready ready() {
        Testbed model = simulator.testbed();
        return new RunnerReply.Ready(
                model.kind(), model.device(), model.driver(), model.smCount(), model.clockPolicy());
    }

    @Override
    public Answer answer(RunnerRequest request, Phases phases) {
        return switch (request) {
            // A model cannot be out of order.
            case RunnerRequest.Probe _ -> new Answer(new RunnerReply.Healthy(), true);
            case RunnerRequest.Predict wanted -> new Answer(new RunnerReply.TrialDone(predict(wanted, phases)), true);
            case RunnerRequest.OnGpu _, RunnerRequest.Prove _ ->
                new Answer(new RunnerReply.Failed("the model " + gpu.name() + " runs no kernels"), true);
        };
    }

    private TrialResult predict(RunnerRequest.Predict wanted, Phases phases) {
        phases.enter(Phases.MEASURE);
        SimulatedRun run;
        try {
            run = simulator.run(wanted.problem(), wanted.config(), wanted.seed());
        } catch (IllegalArgumentException beyondTheModel) {
            return TrialResult.failed(
                    TrialOutcome.INFRASTRUCTURE, "the model has no answer: " + beyondTheModel.getMessage());
        }
        phases.leave();
        Measurement predicted =
                new Measurement(Mode.SUSTAINED, Stage.SCREEN, 1, 1, run.timeNs(), null, null, run.clockMhz());
        return new TrialResult(
                TrialOutcome.COMPLETED,
                null,
                run.executed(),
                List.of(predicted),
                evidence(wanted.config(), run),
                null,
                phases.timesNs(),
                "simulated: predicted by the model " + gpu.name() + " " + gpu.version() + ", not measured");
    }

    private static SchedulerEvidence evidence(Config config, SimulatedRun run) {
        return Tracer.asks(config)
                ? run.evidence().asked(run.dynamic().steals(), run.dynamic().failedQueries())
                : run.evidence();
    }
}
