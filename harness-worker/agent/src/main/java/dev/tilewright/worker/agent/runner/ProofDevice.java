package dev.tilewright.worker.agent.runner;

import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.time.Duration;

/** The emulator: proves a config, whose text it makes by itself. */
final class ProofDevice extends RunnerDevice {

    ProofDevice(Started started) {
        super(started);
    }

    @Override
    public boolean proves() {
        return true;
    }

    @Override
    RunnerRequest request(PreparedTrial trial) {
        return new RunnerRequest.Prove(
                trial.family(),
                trial.problem(),
                trial.config(),
                trial.seed(),
                ProofPlan.DEFAULT_SEEDS,
                trial.accept(),
                trial.kernel().bundle());
    }

    /** The emulator runs a small problem, however large the one is that was asked for. */
    @Override
    Duration limit(PreparedTrial trial) {
        return runnerLimits().trial();
    }

    @Override
    boolean mayBeReached() {
        return false;
    }
}
