package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.GpuProcesses.Resident;
import dev.tilewright.worker.gpu.cuda.GpuProcesses.Use;
import dev.tilewright.worker.gpu.cuda.ScriptedProcesses;
import dev.tilewright.worker.gpu.peer.Peers;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Finals on a GPU that others use too. */
class BusyGpuTest extends FinalOnFakeGpu {

    private static final long OTHER = Long.MAX_VALUE;
    private static final String COMPUTED = "process " + OTHER + " (python3) computed on the GPU too";

    private final ScriptedProcesses driver = new ScriptedProcesses();
    private final Random random = new Random(1);
    private final Peers vendor = this::vendor;

    @BeforeEach
    void observe() {
        state = driver;
    }

    @Test
    void aQuietGpuIsNotVoided() {
        FinalResult done = run(vendor, "fast", "slow");
        assertThat(done.discards()).isEmpty();
        assertThat(done.neighbours()).isEmpty();
        assertThat(arm(done, "arm-fast").outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(stages(done, "arm-fast")).contains(Stage.FINAL);
    }

    @Test
    void aProcessThatOnlyHoldsMemoryIsNamedOnce() {
        driver.residents.add(new Resident(OTHER, "python3", 552L << 20));
        driver.used.add(new Use(OTHER, 0));
        FinalResult done = run(vendor, "fast", "slow");
        assertThat(done.discards()).isEmpty();
        assertThat(done.neighbours())
                .containsExactly("process " + OTHER + " (python3) is on the GPU too and holds 552 MiB of its memory");
        assertThat(arm(done, "arm-fast").outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.ratios()).isNotEmpty();
    }

    @Test
    void withOneThatComputesAllTheTimeNothingIsBest() {
        driver.residents.add(new Resident(OTHER, "python3", 1));
        driver.used.add(new Use(OTHER, 50));
        FinalResult done = run(vendor, "fast", "slow");
        assertThat(done.arms()).extracting(arm -> arm.outcome()).containsOnly(TrialOutcome.NOISE);
        assertThat(arm(done, "arm-fast").log())
                .contains("more than a fifth of the sustained blocks had to be discarded (" + COMPUTED + ")");
        assertThat(stages(done, "arm-fast")).doesNotContain(Stage.FINAL);
        assertThat(done.ratios()).isEmpty();
        assertThat(done.blocks()).isEmpty();
        assertThat(done.discards()).extracting(Discard::reason).containsOnly(COMPUTED);
    }

    /** As in a container. */
    @Test
    void whereProcessesCannotBeObservedTheSpreadTells() {
        driver.residents.clear();
        sharing("fast", 20_000);
        sharing("vendor", 25_000);
        FinalResult done = run(vendor, "fast");
        assertThat(arm(done, "arm-fast").outcome()).isEqualTo(TrialOutcome.NOISE);
        assertThat(arm(done, "arm-fast").log()).contains("something else uses the GPU");
        assertThat(done.neighbours()).singleElement().asString().contains("cannot be observed");
        assertThat(done.ratios()).isEmpty();
    }

    /** A kernel whose launches take twice as long while somebody else is at work, who comes and goes. */
    private void sharing(String entry, double nanos) {
        gpu.with(entry, nanos, (any, parameters) -> {
            if (random.nextInt(8) == 0) {
                gpu.durationNs.put(entry, random.nextBoolean() ? nanos : 2 * nanos);
            }
            Candidate.multiply(any, parameters);
        });
    }

    @Test
    void aQuietGpuWhoseProcessesCannotBeObservedIsNotVoided() {
        driver.lists = false;
        FinalResult done = run(vendor, "fast", "slow");
        assertThat(arm(done, "arm-fast").outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.neighbours())
                .isEqualTo(
                        List.of("other processes on the GPU cannot be observed: the driver does not list processes"));
    }
}
