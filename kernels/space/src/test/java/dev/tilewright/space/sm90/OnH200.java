package dev.tilewright.space.sm90;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;

/** Problems of bf16, and what {@code sm90-gemm} has for them on an H200. */
public final class OnH200 {

    public static final DeviceLimits H200 = DeviceLimits.of(132);

    private OnH200() {}

    public static SearchSpace space(String shape) {
        return new Sm90GemmSpace().space(problem(shape), H200);
    }

    public static Problem problem(String shape) {
        return Problem.of(ProblemShape.parse(shape), DataType.BF16);
    }
}
