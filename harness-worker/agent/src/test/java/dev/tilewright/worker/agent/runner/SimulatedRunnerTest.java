package dev.tilewright.worker.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.agent.compile.Assembly;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.gpu.runner.RunnerMain;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.process.VisibleGpus;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The real runner of a model, over the same path as that of a GPU, and killed as one would kill that. */
@Timeout(120)
class SimulatedRunnerTest {

    private static final Runners RUNNERS = new Runners(RunnerMain.class, VisibleGpus.of(Map.of()));

    private static final ProblemShape SHAPE = new ProblemShape(2048, 1024, 768);
    private static final Problem PROBLEM = Problem.of(SHAPE, DataType.BF16);

    private RunnerDevice device;

    @BeforeEach
    void open() throws DeviceUnusableException {
        device = RUNNERS.open(new DeviceSelector.Simulated("h200"), () -> "ptxas 13.0.88");
    }

    @AfterEach
    void close() {
        device.close();
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    private static PreparedTrial trial() {
        SearchSpace space = GemmFamilies.standard().named("sm90-gemm").space().space(PROBLEM, DeviceLimits.of(132));
        SplittableRandom random = new SplittableRandom(5);
        Config config = SpaceTree.of(space).draw(random);
        LaunchDescription launch = Launches.of(12, 384, 2);
        Assembly assembly = new Assembly(new Cubin(new byte[1]), "cubin", 168, 0, 0, List.of(), "");
        return new PreparedTrial(
                "sm90-gemm", PROBLEM, config, new PreparedKernel.Built(launch, assembly, "text"), null, 1);
    }

    /** As the fault test of the whole service finds it. */
    private static ProcessHandle runner() {
        return ProcessHandle.current()
                .descendants()
                .filter(child -> child.info()
                        .commandLine()
                        .filter(line -> line.contains("RunnerMain simulated:h200"))
                        .isPresent())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void itsTestbedIsThatOfTheModel() {
        assertThat(device.label()).isEqualTo("simulated:h200");
        assertThat(device.testbed().kind()).isEqualTo(TestbedKind.SIMULATED);
        assertThat(device.testbed().device()).isEqualTo("h200");
        assertThat(device.testbed().assembler()).isEqualTo("ptxas 13.0.88");
        assertThat(device.testbed().smCount()).isEqualTo(132);
        assertThat(device.needsTracedTwin()).isFalse();
    }

    @Test
    void aKilledRunnerCostsNoTrial() throws DeviceUnusableException {
        TrialResult first = device.run(trial());
        assertThat(first.outcome()).as(first.log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(first.log()).startsWith("simulated");
        ProcessHandle killed = runner();
        killed.destroyForcibly();

        TrialResult second = device.run(trial());

        assertThat(second.outcome()).as(second.log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(second.measurements()).isEqualTo(first.measurements());
        assertThat(runner().pid()).isNotEqualTo(killed.pid());
    }

    @Test
    void runsNoFinals() {
        assertThatThrownBy(() -> device.runFinal(
                        new PreparedFinal(PROBLEM, List.of(), 3, null, List.of("cublaslt"), 1), () -> {}))
                .isInstanceOf(DeviceUnusableException.class)
                .hasMessageContaining("no finals");
    }
}
