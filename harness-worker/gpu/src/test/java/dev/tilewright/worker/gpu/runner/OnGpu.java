package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.proof.export.DescribedLaunch;
import dev.tilewright.ptx.parse.DelayedText;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.gpu.cuda.CudaGpu;
import dev.tilewright.worker.gpu.cuda.CudaJit;
import dev.tilewright.worker.gpu.cuda.CudaProbe;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.cuda.Nvml;
import dev.tilewright.worker.gpu.measure.TimingPlan;
import dev.tilewright.worker.gpu.peer.Peers;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.assembler.AssemblerReply;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/**
 * Tests on a real GPU, skipped where there is none. It is open for all tests of a class, with what a runner keeps and
 * the driver's assembler.
 */
@Tag("gpu")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnGpu {

    static final GemmFamily FAMILY = GemmFamilies.standard().named("sm90-gemm");

    /** Of all data. */
    static final long SEED = 7;

    /** {@code null} where nothing is to be closed. */
    CudaGpu gpu;

    GpuState state;
    Workbench bench;
    private CudaJit jit;

    @BeforeAll
    void open() {
        assumeThat(CudaProbe.run()).isInstanceOf(CudaProbe.Present.class);
        gpu = CudaGpu.open(0);
        state = Nvml.load()
                .flatMap(nvml -> nvml.device(gpu.info().uuid()))
                .<GpuState>map(device -> device)
                .orElse(GpuState.UNKNOWN);
        bench = Workbench.open(gpu, state, TimingPlan.STANDARD, Peers.installed(gpu, System.getenv()));
        jit = new CudaJit(0);
        assertThat(jit.open()).isInstanceOf(AssemblerReply.Ready.class);
    }

    /** The assembler holds the context, so what is not freed would stay with the tests of other classes. */
    @AfterAll
    void close() {
        if (gpu == null) {
            return;
        }
        if (bench != null) {
            bench.store().close();
        }
        gpu.close();
    }

    /** One GEMM in bf16. */
    static Problem problem(String shape) {
        return Problem.of(ProblemShape.parse(shape), DataType.BF16);
    }

    /** Several in bf16, their shapes separated by blanks, each {@code batch} times. */
    static Problem several(int batch, String shapes) {
        return new Problem(
                Arrays.stream(shapes.split(" ")).map(ProblemShape::parse).toList(),
                batch,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }

    DeviceLimits limits() {
        return DeviceLimits.of(gpu.info().smCount())
                .dealing(new DealProbe(gpu).deals())
                .holding(new DealProbe(gpu).resident());
    }

    SearchSpace space(Problem problem) {
        return FAMILY.space().space(problem, limits());
    }

    /** Configs that no rule of the space of a problem forbids. */
    List<Config> drawn(Problem problem, RandomGenerator random, int count) {
        SpaceTree space = SpaceTree.of(space(problem));
        return Stream.generate(() -> space.draw(random)).limit(count).toList();
    }

    /** A kernel from the driver's assembler. */
    Kernel.Assembled kernel(Problem problem, Config config, boolean traced) {
        GemmKernel built = FAMILY.build(config, traced);
        return kernel(problem, config, built, built.text());
    }

    /** The same with a wait in front. */
    Kernel.Assembled delayed(Problem problem, Config config) {
        GemmKernel built = FAMILY.build(config, false);
        String entry = built.module().entries().getFirst().name();
        return kernel(problem, config, built, DelayedText.of(built.text(), entry));
    }

    private Kernel.Assembled kernel(Problem problem, Config config, GemmKernel built, String text) {
        return new Kernel.Assembled(
                cubin(config.canonical(), text),
                DescribedLaunch.of(problem, built.launch(problem, limits(), config)),
                0);
    }

    /** A module from the driver's assembler. */
    Cubin cubin(String name, String text) {
        AssemblerReply reply = jit.assemble(text, "sm_90a");
        assertThat(reply).as(name).isInstanceOf(AssemblerReply.Assembled.class);
        AssemblerReply.Assembled assembled = (AssemblerReply.Assembled) reply;
        log(assembled.log());
        return new Cubin(assembled.cubin().bytes());
    }

    /** Is told what the assembler said of each kernel; prints nothing. */
    void log(String assembler) {}

    /** A trial of the kernel and its traced twin. */
    RunTrial request(Problem problem, Config config, Mode... modes) {
        return new RunTrial(
                problem, config, kernel(problem, config, false), kernel(problem, config, true), SEED, List.of(modes));
    }

    /** Runs a trial that has to come to its end. */
    TrialResult completed(RunTrial trial) {
        TrialResult done = new TrialRunner(bench, phases()).run(trial).answer();
        System.out.println(trial.problem().shapes() + " " + trial.config() + ": " + done);
        assertThat(done.outcome()).as(trial.config() + "\n" + done.log()).isEqualTo(TrialOutcome.COMPLETED);
        return done;
    }

    /** Nobody looks at them. */
    static Phases phases() {
        return new Phases(System::nanoTime, name -> {});
    }
}
