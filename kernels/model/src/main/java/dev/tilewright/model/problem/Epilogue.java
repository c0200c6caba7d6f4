package dev.tilewright.model.problem;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a multiplication does to its sums before it stores them, step by step in the order of the list. The text has the
 * steps with commas, such as {@code bias,gelu-tanh}; it is empty where sums are stored as they are.
 *
 * @param ops at most one of each kind
 */
public record Epilogue(List<EpilogueOp> ops) {

    /** The sums as they are. */
    public static final Epilogue NONE = new Epilogue(List.of());

    private static final String KNOWN =
            "alpha=F, beta=F, bias, bias-m, relu, gelu (gelu-tanh), gelu-erf, silu and" + " clamp=LOW..HIGH";

    /** @throws IllegalArgumentException if a kind of step comes twice */
    public Epilogue {
        ops = List.copyOf(ops);
        List<Class<?>> kinds = new ArrayList<>();
        for (EpilogueOp op : ops) {
            if (kinds.contains(op.getClass())) {
                throw new IllegalArgumentException("an epilogue has at most one bias, one activation and one each of"
                        + " alpha, beta and clamp, got '" + text(ops) + "'");
            }
            kinds.add(op.getClass());
        }
    }

    /**
     * Reads the text.
     *
     * @throws IllegalArgumentException naming the step and the rule
     */
    @JsonCreator
    public static Epilogue parse(String text) {
        if (text.isBlank()) {
            return NONE;
        }
        return new Epilogue(Stream.of(text.split(",", -1))
                .map(String::strip)
                .map(Epilogue::op)
                .toList());
    }

    private static EpilogueOp op(String step) {
        int equals = step.indexOf('=');
        String name = equals < 0 ? step : step.substring(0, equals);
        String value = equals < 0 ? "" : step.substring(equals + 1);
        return switch (name) {
            case "alpha" -> new EpilogueOp.Alpha(number(step, value));
            case "beta" -> new EpilogueOp.Beta(number(step, value));
            case "clamp" -> clamp(step, value);
            case "bias", "bias-m", "relu", "gelu", "gelu-tanh", "gelu-erf", "silu" -> {
                if (equals >= 0) {
                    throw new IllegalArgumentException(name + " takes no value, got '" + step + "'");
                }
                yield named(name);
            }
            default ->
                throw new IllegalArgumentException("unknown step '" + step + "' of an epilogue; known: " + KNOWN);
        };
    }

    private static EpilogueOp named(String name) {
        return switch (name) {
            case "bias" -> new EpilogueOp.Bias(Major.N);
            case "bias-m" -> new EpilogueOp.Bias(Major.M);
            case "gelu" -> new EpilogueOp.Activate(Activation.GELU_TANH);
            default ->
                new EpilogueOp.Activate(Stream.of(Activation.values())
                        .filter(function -> function.toString().equals(name))
                        .findFirst()
                        .orElseThrow());
        };
    }

    private static EpilogueOp clamp(String step, String value) {
        int dots = value.indexOf("..");
        if (dots < 0) {
            throw new IllegalArgumentException("clamp is written clamp=LOW..HIGH, got '" + step + "'");
        }
        return new EpilogueOp.Clamp(number(step, value.substring(0, dots)), number(step, value.substring(dots + 2)));
    }

    private static double number(String step, String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("'" + value + "' is not a number, in the step '" + step + "'", none);
        }
    }

    /** Whether sums are stored as they are. */
    @JsonIgnore
    public boolean isNone() {
        return ops.isEmpty();
    }

    /** The dimension that a bias runs along, if there is one. */
    public Optional<Major> bias() {
        return first(EpilogueOp.Bias.class, EpilogueOp.Bias::along);
    }

    /** Whether a C is added: 0 times what it holds is not computed. */
    public boolean addsC() {
        return first(EpilogueOp.Beta.class, EpilogueOp.Beta::factor)
                .filter(factor -> factor != 0)
                .isPresent();
    }

    /** Elements that are read beside A and B of a GEMM: those of a bias and of C. */
    double elements(ProblemShape shape) {
        double vector = bias().map(shape::along).orElse(0);
        return addsC() ? vector + (double) shape.m() * shape.n() : vector;
    }

    private <O extends EpilogueOp, T> Optional<T> first(Class<O> kind, Function<O, T> part) {
        return ops.stream().filter(kind::isInstance).map(kind::cast).map(part).findFirst();
    }

    private static String text(List<EpilogueOp> ops) {
        return ops.stream().map(EpilogueOp::toString).collect(Collectors.joining(","));
    }

    /** In short, for people: {@code none} where sums are stored as they are. */
    public String said() {
        return isNone() ? "none" : toString();
    }

    @JsonValue
    @Override
    public String toString() {
        return text(ops);
    }
}
