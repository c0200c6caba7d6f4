package dev.tilewright.worker.gpu.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.gpu.cuda.GpuProcesses.Resident;
import dev.tilewright.worker.gpu.cuda.GpuProcesses.Use;
import dev.tilewright.worker.gpu.cuda.ScriptedProcesses;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NeighboursTest {

    private static final long OTHER = Long.MAX_VALUE;

    private final ScriptedProcesses driver = new ScriptedProcesses();
    private final List<String> named = new ArrayList<>();
    private long now;
    private long slept;
    private final Neighbours neighbours = new Neighbours(
            driver, pid -> pid == ProcessHandle.current().pid(), () -> now, Clock.systemUTC(), nanos -> slept += nanos);

    @Test
    void whoOnlyHoldsMemoryIsNamedOnceAndDisturbsNothing() {
        driver.residents.add(new Resident(OTHER, "python3", 552L << 20));
        driver.used.add(new Use(OTHER, 0));

        neighbours.name(named);
        driver.residents.set(1, new Resident(OTHER, "python3", 600L << 20));
        neighbours.name(named);

        assertThat(named)
                .containsExactly("process " + OTHER + " (python3) is on the GPU too and holds 552 MiB of its memory");
        assertThat(neighbours.computing(neighbours.begin(), false)).isEmpty();
        assertThat(neighbours.crowd()).isEmpty();
        assertThat(neighbours.arrivals(neighbours.count())).isEmpty();
    }

    @Test
    void whoComputesIsSaidAndGivenTimeToEnd() {
        assertThat(neighbours.computing(neighbours.begin(), false)).isEmpty();
        driver.residents.add(new Resident(OTHER, "python3", 1));
        driver.used.add(new Use(OTHER, 40));
        assertThat(neighbours.computing(neighbours.begin(), false))
                .as("the driver is not asked at every block of a few milliseconds")
                .isEmpty();
        now += 150_000_000;

        assertThat(neighbours.computing(neighbours.begin(), false))
                .contains("process " + OTHER + " (python3) computed on the GPU too");
        assertThat(slept).isEqualTo(200_000_000);
    }

    @Test
    void screensAskOnceASecond() {
        neighbours.computing(neighbours.begin(), true);
        int asked = driver.questions;
        for (int i = 0; i < 9; i++) {
            now += 100_000_000;
            neighbours.computing(neighbours.begin(), true);
        }
        assertThat(driver.questions).isEqualTo(asked);
        now += 100_000_000;
        neighbours.computing(neighbours.begin(), true);
        assertThat(driver.questions).isEqualTo(asked + 1);
    }

    /** The process of the test is ours, and so is what it starts. */
    @Test
    void thisProcessAndItsChildrenAreNoNeighbours() throws IOException {
        Process child = new ProcessBuilder("sleep", "60").start();
        try {
            Neighbours real = Neighbours.of(driver);
            driver.residents.add(new Resident(child.pid(), "sleep", 1));
            driver.used.add(new Use(child.pid(), 50));
            real.name(named);
            assertThat(named).isEmpty();
            assertThat(real.computing(real.begin(), false)).isEmpty();
        } finally {
            child.destroyForcibly();
        }
    }

    /** As in a container: the numbers are those of the machine, and our own is not among them. */
    @Test
    void whereThisProcessIsNotListedTheSpreadDecides() {
        driver.residents.clear();
        driver.residents.add(new Resident(OTHER, "java", 1));
        driver.used.add(new Use(OTHER, 97));

        neighbours.name(named);

        assertThat(named)
                .containsExactly("other processes on the GPU cannot be observed: the driver does not list this one by"
                        + " its own number, as in a container");
        assertThat(neighbours.computing(neighbours.begin(), false)).isEmpty();
        assertThat(neighbours.spread(0.03)).as("a clock that swings").isEmpty();
        assertThat(neighbours.spread(0.2))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("a run deviates by 22 % from the others: something else uses the GPU"));
        int before = neighbours.count();
        driver.residents.add(new Resident(OTHER - 1, "python3", 1));
        assertThat(neighbours.arrivals(before)).contains("2 processes have a context on the GPU, at first it was 1");
        assertThat(neighbours.crowd()).contains("2 processes have a context on the GPU");
    }

    @Test
    void aDriverThatSaysNothingIsNoErrorAndIsSaidOnce() {
        driver.samples = false;
        neighbours.name(named);
        neighbours.name(named);
        assertThat(named)
                .containsExactly(
                        "other processes on the GPU cannot be observed: the driver does not say which of them computes");
        driver.lists = false;
        List<String> none = new ArrayList<>();
        neighbours.name(none);
        assertThat(none)
                .containsExactly("other processes on the GPU cannot be observed: the driver does not list processes");
        assertThat(neighbours.computing(neighbours.begin(), false)).isEmpty();
        assertThat(neighbours.crowd()).isEmpty();
    }

    @Test
    void whereProcessesAreObservedTheSpreadIsWhatTheKernelsMakeOfIt() {
        assertThat(neighbours.spread(0.5)).isEmpty();
    }
}
