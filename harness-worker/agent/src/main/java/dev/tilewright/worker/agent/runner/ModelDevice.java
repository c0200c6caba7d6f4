package dev.tilewright.worker.agent.runner;

import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.Optional;

/** The model of a GPU: predicts, and runs no kernel. */
final class ModelDevice extends RunnerDevice {

    ModelDevice(Started started) {
        super(started);
    }

    @Override
    public Optional<String> refusal(FamilySpace family) {
        return family.isModelled() ? Optional.empty() : Optional.of(FamilySpace.noModel(family.family(), label()));
    }

    @Override
    RunnerRequest request(PreparedTrial trial) {
        return new RunnerRequest.Predict(trial.problem(), trial.config(), trial.seed());
    }
}
