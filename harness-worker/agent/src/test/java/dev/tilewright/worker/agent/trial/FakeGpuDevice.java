package dev.tilewright.worker.agent.trial;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.device.FixedDevice;
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A GPU that completes whatever it gets. */
class FakeGpuDevice extends FixedDevice {

    final List<PreparedTrial> seen = new ArrayList<>();
    final List<PreparedFinal> finals = new ArrayList<>();
    final List<Optional<PreparedTrial>> next = new ArrayList<>();
    final List<Long> expected = new ArrayList<>();

    FakeGpuDevice() {
        super("cuda:0", new Testbed(TestbedKind.CUDA, "NVIDIA H200", "580", "fake 1.0", 132, "factory"));
    }

    @Override
    public TrialResult run(PreparedTrial trial, @Nullable PreparedTrial coming) {
        next.add(Optional.ofNullable(coming));
        return run(trial);
    }

    @Override
    public void expect(Problem problem, long seed) {
        expected.add(seed);
    }

    @Override
    public TrialResult run(PreparedTrial trial) {
        seen.add(trial);
        return new TrialResult(
                TrialOutcome.COMPLETED,
                0.1,
                new Executed(132, 1, 384),
                List.of(new Measurement(Mode.SUSTAINED, Stage.SCREEN, 3, 9, 1e4, 9e3, 1.1e4, null)),
                null,
                null,
                Map.of("measure", 5L),
                "");
    }

    @Override
    public FinalResult runFinal(PreparedFinal work, Runnable raced) {
        finals.add(work);
        return super.runFinal(work, raced);
    }

    @Override
    public void close() {
        // Nothing to end.
    }
}
