package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a kernel does to its sums before it stores them, step by step.
 *
 * @param steps in order
 */
public record EpilogueSteps(List<EpilogueStep> steps) {

    public EpilogueSteps {
        steps = List.copyOf(steps);
    }

    /**
     * Declares what the steps of an epilogue need.
     *
     * @param scale that the sums are multiplied with first, of 8-bit inputs
     * @param type of D, and of all that is added
     * @param shape of the GEMM of a launch
     */
    public static <F> EpilogueSteps declare(
            BoundParams<F> params,
            Epilogue epilogue,
            Optional<Param> scale,
            DataType type,
            Function<F, ProblemShape> shape) {
        Extents<F> extents = new Extents<>(params, shape, new EnumMap<>(Major.class));
        List<EpilogueStep> steps = new ArrayList<>();
        scale.ifPresent(param -> steps.add(new ScaleStep(param, Optional.empty())));
        epilogue.ops()
                .forEach(op -> steps.add(
                        switch (op) {
                            case EpilogueOp.Alpha(double factor) -> new FactorStep(factor);
                            case EpilogueOp.Activate(var function) -> new ActivationStep(function);
                            case EpilogueOp.Clamp(double low, double high) -> new ClampStep(low, high);
                            case EpilogueOp.Bias(Major along) -> {
                                Param bias = params.operand("bias", BufferRole.BIAS);
                                Optional<Param> extent = Optional.of(extents.along(along));
                                yield along == Major.N
                                        ? new AddStep(bias, type, Optional.empty(), extent, 1)
                                        : new AddStep(bias, type, extent, Optional.empty(), 1);
                            }
                            case EpilogueOp.Beta(double factor) ->
                                new AddStep(
                                        params.operand("c", BufferRole.C),
                                        type,
                                        Optional.of(extents.along(Major.M)),
                                        Optional.of(extents.along(Major.N)),
                                        factor);
                        }));
        return new EpilogueSteps(steps);
    }

    /** Extents of D as parameters, each declared once. */
    private record Extents<F>(BoundParams<F> params, Function<F, ProblemShape> shape, Map<Major, Param> declared) {
        Param along(Major dimension) {
            return declared.computeIfAbsent(
                    dimension,
                    _ -> params.u32(
                            dimension.toString(), facts -> shape.apply(facts).along(dimension)));
        }
    }

    /** Whether sums are stored as they are. */
    boolean isNone() {
        return steps.isEmpty();
    }

    /** Reads what does not change from tile to tile. */
    public EpilogueSteps prepared(CodeBuilder b) {
        return new EpilogueSteps(steps.stream().map(step -> step.prepared(b)).toList());
    }

    /** The values that are stored. */
    List<Reg<F32>> apply(CodeBuilder b, Fragment fragment) {
        Fragment now = fragment;
        for (EpilogueStep step : steps) {
            now = now.with(step.apply(b, now));
        }
        return now.values();
    }
}
