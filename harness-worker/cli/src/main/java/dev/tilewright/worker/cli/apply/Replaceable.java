package dev.tilewright.worker.cli.apply;

import dev.tilewright.launch.program.RangeProgram;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.worker.cli.capture.CapturePlan;
import java.util.List;
import java.util.Optional;

/** The problems that a call of PyTorch may be. */
final class Replaceable {

    /** The operators that a pack stands in front of. */
    private static final List<String> OPERATORS = List.of("mm", "addmm", "_scaled_mm");

    private Replaceable() {}

    /** Why no call of a line is replaced; empty if some may be. */
    static Optional<String> refusal(CapturePlan.Line line) {
        if (line.problem().ops().stream().noneMatch(OPERATORS::contains)) {
            return Optional.of("a pack replaces " + String.join(", ", OPERATORS) + " alone");
        }
        if (line.row().m() > RangeProgram.MOST_ROWS) {
            return Optional.of("a pack has M up to " + RangeProgram.MOST_ROWS);
        }
        return refusal(line.tuned());
    }

    /** The same of a product of two matrices, whose M does not count. */
    private static Optional<String> refusal(Problem problem) {
        if (problem.types().a().bytes() == 2
                && problem.types().d() != problem.types().a()) {
            return Optional.of("a pack replaces products of 16-bit types with a D of the same type");
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
