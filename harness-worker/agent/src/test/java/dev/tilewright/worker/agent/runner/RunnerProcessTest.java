package dev.tilewright.worker.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.link.process.ChildCommand;
import dev.tilewright.worker.link.process.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runners that are processes: what they print, how they end, and that nothing of them is left. */
@Timeout(120)
class RunnerProcessTest {

    private static final RunnerLimits LIMITS = new RunnerLimits(
            Duration.ofSeconds(30),
            Duration.ofSeconds(20),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5),
            Duration.ZERO);

    @TempDir
    private Path directory;

    private RunnerDevice device;

    @BeforeEach
    void open() throws IOException, DeviceUnusableException {
        ChildCommand command =
                ChildCommand.jvm("fake-runner", 64, directory, Map.of(), FakeRunner.class, directory.toString());
        device = RunnerDevice.open(
                "cuda:0",
                () -> "ptxas 13.0.88",
                new RunnerHost(command, LIMITS),
                LIMITS,
                ScratchDirectory.create("test"));
    }

    @AfterEach
    void leavesNothingBehind() {
        device.close();
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    private TrialResult run(long behaviour) throws DeviceUnusableException {
        return device.run(RunnerDeviceTest.trial(behaviour));
    }

    /** It has started a process of its own. */
    @Test
    void aHangEndsWithEverythingItStarted() throws DeviceUnusableException {
        TrialResult result = run(FakeRunner.HANGS);
        assertThat(result.outcome()).isEqualTo(TrialOutcome.TIMEOUT);
        assertThat(result.log()).contains("killed after 2.0", "phase verify");
        assertThat(run(FakeRunner.GOOD).outcome()).isEqualTo(TrialOutcome.COMPLETED);
    }

    @Test
    void aDeathIsACrashWithItsLastWords() throws DeviceUnusableException {
        TrialResult result = run(FakeRunner.DIES);
        assertThat(result.outcome()).isEqualTo(TrialOutcome.CRASH);
        assertThat(result.log()).contains("exit code 77", "phase verify", "CUDA_ERROR_ILLEGAL_ADDRESS");
    }

    @Test
    void aRunnerThatSomebodyKilledIsNoFaultOfTheTrial() throws DeviceUnusableException {
        assertThat(run(FakeRunner.KILLED_FROM_OUTSIDE).outcome()).isEqualTo(TrialOutcome.COMPLETED);
    }
}
