package dev.tilewright.worker.agent.trial;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.export.DescribedLaunch;
import dev.tilewright.ptx.validate.Diagnostic;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.space.device.DeviceLimits;
import java.util.List;
import java.util.stream.Collectors;

/** Builds the kernels of our own families, and validates them. */
public record GemmSource(GemmFamilies families) implements KernelSource {

    @Override
    public Written kernel(String family, Problem problem, Config config, DeviceLimits limits, boolean traced) {
        GemmKernel kernel = families.named(family).build(config, traced);
        List<Diagnostic> diagnostics = Validator.validate(kernel.module());
        if (!diagnostics.isEmpty()) {
            throw new IllegalArgumentException(
                    diagnostics.stream().map(Diagnostic::toString).collect(Collectors.joining("\n")));
        }
        return new Written(
                kernel.text(),
                kernel.module().target().ptx(),
                DescribedLaunch.of(
                        problem,
                        kernel.launch(problem, limits, config),
                        kernel.module().entries().getFirst().params()),
                null);
    }
}
