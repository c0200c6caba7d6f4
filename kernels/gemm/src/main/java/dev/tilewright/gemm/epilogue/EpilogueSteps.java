package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.epilogue.Output.Beside;
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
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;

/**
 * The steps of a kernel between its sums and D.
 *
 * @param steps in order
 * @param one parameters of a launch with one GEMM, those that the steps need
 * @param several what the steps need of the outputs of a launch with several GEMMs, if anything
 */
public record EpilogueSteps(List<EpilogueStep> steps, Output.OfOne one, Optional<Output.Rows> several) {

    public EpilogueSteps {
        steps = List.copyOf(steps);
    }

    /**
     * Declares what the steps of an epilogue need.
     *
     * @param scale of tensors of 8 bits, that the sums are multiplied with first
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
        SequencedMap<Beside, Set<Major>> beside = beside(epilogue);
        return new EpilogueSteps(
                steps,
                several ? new Output.OfOne(Map.of(), Map.of()) : one(params, beside, problem),
                several && !beside.isEmpty()
                        ? Optional.of(new Output.Rows(
                                params.outputs("outputs", facts -> Outputs.of(problem.apply(facts))), beside.keySet()))
                        : Optional.empty());
    }

    /** The operands that the steps read beside the sums, each with the extents that it takes. */
    private static SequencedMap<Beside, Set<Major>> beside(Epilogue epilogue) {
        SequencedMap<Beside, Set<Major>> beside = new LinkedHashMap<>();
        if (epilogue.scalesRows()) {
            beside.put(Beside.SCALE_A, EnumSet.of(Major.M));
            beside.put(Beside.SCALE_B, EnumSet.of(Major.N));
        }
        epilogue.bias().ifPresent(along -> beside.put(Beside.BIAS, EnumSet.of(along)));
        if (epilogue.addsC()) {
            beside.put(Beside.C, EnumSet.of(Major.M, Major.N));
        }
        return beside;
    }

    private static EpilogueStep step(EpilogueOp op, DataType type) {
        return switch (op) {
            case EpilogueOp.RowScales _ -> new RowScalesStep();
            case EpilogueOp.Alpha(double factor) -> new FactorStep(factor);
            case EpilogueOp.Activate(var function) -> new ActivationStep(function);
            case EpilogueOp.Clamp(double low, double high) -> new ClampStep(low, high);
            case EpilogueOp.Bias(Major along) -> AddStep.bias(type, along);
            case EpilogueOp.Beta(double factor) -> AddStep.c(type, factor);
        };
    }

    private static <F> Output.OfOne one(
            BoundParams<F> params, SequencedMap<Beside, Set<Major>> beside, Function<F, Problem> problem) {
        Map<Beside, Param> operands = new EnumMap<>(Beside.class);
        beside.keySet().forEach(operand -> operands.put(operand, operand.declare(params)));
        Map<Major, Param> extents = new EnumMap<>(Major.class);
        beside.values().stream()
                .flatMap(Set::stream)
                .forEach(along -> extents.computeIfAbsent(
                        along,
                        _ -> params.u32(
                                along.toString(),
                                facts -> problem.apply(facts).shape().along(along))));
        return new Output.OfOne(extents, operands);
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
