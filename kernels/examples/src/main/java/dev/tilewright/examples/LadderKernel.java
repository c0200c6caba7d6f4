package dev.tilewright.examples;

import dev.tilewright.examples.step.Step;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.export.DescribedLaunch;
import dev.tilewright.proof.file.KernelFile;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.Target;
import java.util.Optional;

/**
 * A step with its name.
 *
 * @param version {@code v0} and up in its architecture
 */
public record LadderKernel(Architecture architecture, String version, Step step) {

    /** SMs of the emulated GPU on which {@link Step.Facts#proofShape} goes deep enough. */
    public static final int PROOF_SMS = 2;

    private static final String ENTRY = "gemm";

    /** Such as {@code sm90/v3}. */
    public String name() {
        return architecture + "/" + version;
    }

    /** The target that the step is assembled for. */
    public Target target() {
        return switch (architecture) {
            case SM90 -> Target.SM_90A;
            case SM100 -> Target.SM_100A;
        };
    }

    /** Name of the file that has the step from top to bottom, without its folder. */
    public String source() {
        return step.getClass().getSimpleName() + ".java";
    }

    /** The kernel as data. */
    public PtxModule module() {
        return PtxModule.build(target(), module -> module.entry(ENTRY, step::build));
    }

    /** The kernel as PTX. */
    public String text() {
        return PtxWriter.write(module());
    }

    /** The problem that a step computes: bf16 in and out. */
    public static Problem problem(ProblemShape shape) {
        return Problem.of(shape, DataType.BF16);
    }

    /**
     * The launch, with the buffers and with what D must hold.
     *
     * @param sms SMs of the GPU
     * @throws IllegalArgumentException if the step does not compute the shape
     */
    public LaunchDescription launch(ProblemShape shape, int sms) {
        Entry entry = module().entry(ENTRY);
        return DescribedLaunch.of(problem(shape), step.facts().geometry().launch(entry, shape, sms), entry.params());
    }

    /**
     * The kernel and its launch, ready to be proved on the emulator.
     *
     * @throws IllegalArgumentException if the step does not compute the shape
     */
    public KernelFile file(ProblemShape shape, ProofPlan plan) {
        return file(text(), shape, plan);
    }

    /** The same with another text in the place of the step's own. */
    KernelFile file(String text, ProblemShape shape, ProofPlan plan) {
        return KernelFile.of(name() + ".ptx", text, "its launch", launch(shape, plan.sms()), Optional.empty(), plan);
    }
}
