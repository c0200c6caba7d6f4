package dev.tilewright.worker.cli.apply;

import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scales;
import java.util.Optional;

/** The problems that a call of PyTorch may be. */
final class Replaceable {

    private Replaceable() {}

    /**
     * Why no call of PyTorch computes a problem as a kernel of Tilewright does; empty if one may.
     *
     * @param problem whose M does not count
     */
    static Optional<String> refusal(Problem problem) {
        if (problem.batch() > 1 || problem.groups().size() > 1) {
            return Optional.of("a pack replaces products of two matrices, not batches");
        }
        if (problem.major().d() != Major.N) {
            return Optional.of("a pack writes D row by row");
        }
        if (problem.scales() == Scales.TENSOR && problem.types().a().bytes() == 1) {
            return Optional.of("one scale a tensor lies on the GPU, and kernels take it from the host");
        }
        return problem.epilogue().ops().stream()
                .filter(op -> !isCalled(op))
                .findFirst()
                .map(op -> "no operator of PyTorch computes a product with " + op);
    }

    private static boolean isCalled(EpilogueOp op) {
        return switch (op) {
            case EpilogueOp.Alpha _, EpilogueOp.Beta _ -> true;
            case EpilogueOp.Bias(Major along) -> along == Major.N;
            case EpilogueOp.RowScales _, EpilogueOp.Activate _, EpilogueOp.Clamp _ -> false;
        };
    }
}
