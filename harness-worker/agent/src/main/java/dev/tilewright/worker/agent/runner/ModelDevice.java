package dev.tilewright.worker.agent.runner;

import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.link.runner.RunnerRequest;

/** The model of a GPU: predicts, and runs no kernel. */
final class ModelDevice extends RunnerDevice {

    ModelDevice(Started started) {
        super(started);
    }

    @Override
    RunnerRequest request(PreparedTrial trial) {
        return new RunnerRequest.Predict(trial.problem(), trial.config(), trial.seed());
    }
}
