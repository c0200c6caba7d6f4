package dev.tilewright.proof.export;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.oracle.DealKernel;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.program.RangeProgram;
import dev.tilewright.launch.program.RangeProgram.Reach;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.space.device.DeviceLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The kernels of a table for a range of M, with their launches.
 *
 * @param title of the table, on one line
 * @param kernels each once, in the order of their least M
 * @param sms SMs of the GPU that the launches are for
 */
public record RangeExport(String title, RangedProblem problem, List<Kernel> kernels, int sms) {

    private static final int HASH_DIGITS = 16;

    /**
     * A kernel of the table.
     *
     * @param target that it is assembled for, such as {@code sm_90a}
     * @param reaches the M for which it is launched
     */
    public record Kernel(String title, String target, GemmKernel built, Config config, List<Reach> reaches) {}

    /**
     * The kernels of a table.
     *
     * @param origin of the table, such as a job; becomes part of the title
     * @param table in the order of M, without gaps
     * @throws IllegalArgumentException if the family cannot build a config
     */
    public static RangeExport of(
            GemmFamily family, RangedProblem problem, List<Span> table, DeviceLimits limits, String origin) {
        Map<Config, List<Reach>> reaches = new LinkedHashMap<>();
        table.forEach(span ->
                reaches.computeIfAbsent(span.config(), _ -> new ArrayList<>()).add(new Reach(span.from(), span.to())));
        List<Kernel> kernels = new ArrayList<>();
        reaches.forEach((config, own) -> {
            GemmKernel built = family.build(config, false);
            kernels.add(new Kernel(
                    family.name() + " " + config.canonical(),
                    built.module().target().ptx(),
                    built,
                    config,
                    own));
        });
        return new RangeExport(
                family.name() + " on " + problem.range() + ", " + limits.smCount() + " SMs, " + origin,
                problem,
                kernels,
                limits.smCount());
    }

    /**
     * The kernels as a program.
     *
     * @param name of the program
     * @param cubin of a kernel, where somebody assembled its text
     */
    public RangeProgram program(String name, Function<Kernel, Optional<byte[]>> cubin) {
        return new RangeProgram(
                name,
                title,
                ProblemDocument.of(problem).toString(),
                hash(),
                kernels.stream()
                        .map(kernel -> new RangeProgram.Member(
                                kernel.title(),
                                kernel.built().text(),
                                cubin.apply(kernel),
                                kernel.reaches(),
                                m -> launch(kernel, m)))
                        .toList(),
                sms,
                PtxWriter.write(DealKernel.build()));
    }

    /** Of the problem, the SMs, and of each kernel its text, its config with the numbers of a launch, and its M. */
    private String hash() {
        return Sha256.hex(kernels.stream()
                        .map(kernel -> kernel.config().canonical() + " " + kernel.reaches() + "\n"
                                + kernel.built().text())
                        .collect(Collectors.joining("\n", ProblemDocument.of(problem) + " " + sms + "\n", "")))
                .substring(0, HASH_DIGITS);
    }

    private LaunchDescription launch(Kernel kernel, int m) {
        return DescribedLaunch.of(
                problem.at(m),
                kernel.built().launch(problem.at(m), DeviceLimits.of(sms), kernel.config()),
                kernel.built().module().entries().getFirst().params());
    }
}
