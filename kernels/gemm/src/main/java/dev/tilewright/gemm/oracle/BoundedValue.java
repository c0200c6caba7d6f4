package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.Arithmetic;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.EpilogueOp.Addends;
import dev.tilewright.model.problem.EpilogueOp.Effect;

/**
 * A number between two steps of an epilogue, and how far a kernel may be off that computes it in f32.
 *
 * @param magnitude sum of the magnitudes of the summands since the last activation
 * @param perMagnitude error for each unit of it
 * @param error left by an activation
 */
record BoundedValue<V>(V value, V magnitude, V perMagnitude, V error) {

    /**
     * Errors of later steps.
     *
     * @param ofSteps behind an activation, for each unit of the magnitude
     * @param ofFunctions of each rounding in an activation, for each unit of its argument
     */
    record Errors<V>(V ofSteps, V ofFunctions) {}

    BoundedValue<V> after(EpilogueOp op, Addends<V> addends, Errors<V> errors, Arithmetic<V> in) {
        return switch (op.on(value, addends, in)) {
            case Effect.Product<V>(V factor) -> {
                V size = in.abs(factor);
                yield new BoundedValue<>(
                        in.times(value, factor), in.times(magnitude, size), perMagnitude, in.times(error, size));
            }
            case Effect.Sum<V>(V summand) ->
                new BoundedValue<>(in.plus(value, summand), in.plus(magnitude, in.abs(summand)), perMagnitude, error);
            case Effect.Exact<V>(V result) -> new BoundedValue<>(result, magnitude, perMagnitude, error);
            case Effect.Function<V>(V result, var function) -> {
                V ofArgument = in.times(in.number(function.slope()), allError(in));
                V own = in.times(in.times(in.number(function.roundings()), errors.ofFunctions), in.abs(value));
                yield new BoundedValue<>(result, in.abs(result), errors.ofSteps, in.plus(ofArgument, own));
            }
        };
    }

    V allError(Arithmetic<V> in) {
        return in.plus(error, in.times(perMagnitude, magnitude));
    }
}
