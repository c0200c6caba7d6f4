package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.epilogue.Output.Addend;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer.Outputs;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The steps of a kernel between its sums and D.
 *
 * @param steps in order
 * @param one parameters of a launch with one GEMM, those that the steps need
 * @param several the rows of {@link Outputs} of a launch with several GEMMs, if the steps need them
 */
public record EpilogueSteps(List<EpilogueStep> steps, Output.OfOne one, Optional<Param> several) {

    public EpilogueSteps {
        steps = List.copyOf(steps);
    }

    /**
     * Declares what the steps of an epilogue need.
     *
     * @param scale that the sums are multiplied with first, of 8-bit inputs
     * @param type of D, and of all that is added
     * @param several whether a launch has several GEMMs
     * @param problem of a launch
     */
    public static <F> EpilogueSteps declare(
            BoundParams<F> params,
            Epilogue epilogue,
            Optional<Param> scale,
            DataType type,
            boolean several,
            Function<F, Problem> problem) {
        List<EpilogueStep> steps = new ArrayList<>();
        scale.ifPresent(param -> steps.add(new ScaleStep(param, Optional.empty())));
        epilogue.ops().forEach(op -> steps.add(step(op, type)));
        boolean adds = epilogue.addsC() || epilogue.bias().isPresent();
        return new EpilogueSteps(
                steps,
                several ? new Output.OfOne(Map.of(), Map.of()) : one(params, epilogue, problem),
                several && adds
                        ? Optional.of(params.outputs("outputs", facts -> Outputs.of(problem.apply(facts))))
                        : Optional.empty());
    }

    private static EpilogueStep step(EpilogueOp op, DataType type) {
        return switch (op) {
            case EpilogueOp.Alpha(double factor) -> new FactorStep(factor);
            case EpilogueOp.Activate(var function) -> new ActivationStep(function);
            case EpilogueOp.Clamp(double low, double high) -> new ClampStep(low, high);
            case EpilogueOp.Bias(Major along) -> AddStep.bias(type, along);
            case EpilogueOp.Beta(double factor) -> AddStep.c(type, factor);
        };
    }

    private static <F> Output.OfOne one(BoundParams<F> params, Epilogue epilogue, Function<F, Problem> problem) {
        Map<Addend, Param> addends = new EnumMap<>(Addend.class);
        Map<Major, Param> extents = new EnumMap<>(Major.class);
        List<Major> needed = new ArrayList<>();
        if (epilogue.bias().isPresent()) {
            addends.put(Addend.BIAS, params.operand("bias", BufferRole.BIAS));
            needed.add(epilogue.bias().get());
        }
        if (epilogue.addsC()) {
            addends.put(Addend.C, params.operand("c", BufferRole.C));
            needed.addAll(List.of(Major.M, Major.N));
        }
        needed.forEach(along -> extents.computeIfAbsent(
                along,
                _ -> params.u32(
                        along.toString(), facts -> problem.apply(facts).shape().along(along))));
        return new Output.OfOne(extents, addends);
    }

    /** Reads what does not change from tile to tile. */
    public EpilogueSteps prepared(CodeBuilder b) {
        return new EpilogueSteps(steps.stream().map(step -> step.prepared(b)).toList(), one, several);
    }

    /**
     * The steps for the tiles of one GEMM.
     *
     * @param gemm its index, where a launch has several
     */
    public TileSteps of(CodeBuilder b, Optional<Reg<B32>> gemm) {
        Output output = several.<Output>map(rows -> Output.OfSeveral.read(b, rows, gemm.orElseThrow()))
                .orElse(one);
        return new TileSteps(steps, output);
    }
}
