package dev.tilewright.proof.export;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.oracle.DealKernel;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.launch.writer.LaunchWriter;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.space.device.DeviceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kernel of a family with its launch for a problem.
 *
 * @param target that it is assembled for, such as {@code sm_90a}
 * @param sms SMs of the GPU that the launch is for
 */
public record KernelExport(
        String title, String target, String ptx, Problem problem, LaunchDescription launch, int sms) {

    private static final Pattern TARGET = Pattern.compile("(?m)^\\s*\\.target\\s+([a-z0-9_]+)");

    /**
     * The kernel of a config, for a problem on a GPU.
     *
     * @throws IllegalArgumentException if the family refuses the problem or cannot build the config
     */
    public static KernelExport of(GemmFamily family, Problem problem, Config config, DeviceLimits limits) {
        GemmKernel kernel = family.build(config, false);
        return new KernelExport(
                family.name() + " " + config.canonical() + " on " + problem.shapes() + ", " + limits.smCount() + " SMs",
                kernel.module().target().ptx(),
                kernel.text(),
                problem,
                DescribedLaunch.of(
                        problem,
                        kernel.launch(problem, limits, config),
                        kernel.module().entries().getFirst().params()),
                limits.smCount());
    }

    /**
     * The kernel and its launch, as a program needs them.
     *
     * @param name of the program
     * @param cubin of the text, where somebody assembled it
     */
    public KernelProgram program(String name, Optional<byte[]> cubin) {
        return new KernelProgram(
                name, title, problem.shapes(), launch, ptx, cubin, sms, PtxWriter.write(DealKernel.build()));
    }

    /** A kernel that is written already, with its launch for a problem. */
    public static KernelExport of(String title, String ptx, Problem problem, LaunchDescription launch, int sms) {
        Matcher target = TARGET.matcher(ptx);
        if (!target.find()) {
            throw new IllegalArgumentException("a text without .target");
        }
        return new KernelExport(
                title + " on " + problem.shapes() + ", " + sms + " SMs", target.group(1), ptx, problem, launch, sms);
    }

    /** The same under another title. */
    public KernelExport entitled(String other) {
        return of(other, ptx, problem, launch, sms);
    }

    /** The description of the launch, as {@code check} reads it. */
    public String description() {
        return LaunchWriter.yaml(List.of(title), launch);
    }

    /**
     * Writes {@code NAME.ptx} and {@code NAME.yaml}; the folder is made if there is none.
     *
     * @param name of the files, without what follows the dot
     */
    public void write(Path directory, String name) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(name + ".ptx"), ptx);
        Files.writeString(directory.resolve(name + ".yaml"), description());
    }
}
