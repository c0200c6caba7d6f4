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
 * Steps between the sums of a multiplication and D, in the order of the list. The text has the steps with commas, such
 * as {@code bias,gelu-tanh}; it is empty where sums are stored as they are.
 *
 * @param ops at most one of each kind; {@code beta=0} is left out
 */
public record Epilogue(List<EpilogueOp> ops) {

    /** The sums as they are. */
    public static final Epilogue NONE = new Epilogue(List.of());

    /** @throws IllegalArgumentException if a kind of step comes twice */
    public Epilogue {
        // 0 times C is not computed, whatever C holds.
        ops = ops.stream()
                .filter(op -> !(op instanceof EpilogueOp.Beta(double factor) && factor == 0))
                .toList();
        List<Class<?>> kinds = new ArrayList<>();
        for (EpilogueOp op : ops) {
            if (kinds.contains(op.getClass())) {
                throw new IllegalArgumentException("an epilogue has each step at most once, and at most one bias and"
                        + " one activation, got '" + text(ops) + "'");
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
                .map(EpilogueOp::parse)
                .toList());
    }

    /** The steps behind those that multiply with scales: only scales of rows are a step. */
    public Epilogue behind(Scales scales) {
        return switch (scales) {
            case ROW ->
                new Epilogue(Stream.concat(Stream.of(new EpilogueOp.RowScales()), ops.stream())
                        .toList());
            case TENSOR, BLOCK -> this;
        };
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

    /** Whether a C is added. */
    public boolean addsC() {
        return first(EpilogueOp.Beta.class, EpilogueOp.Beta::factor).isPresent();
    }

    /** Whether sums are multiplied with scales of rows. */
    public boolean scalesRows() {
        return first(EpilogueOp.RowScales.class, op -> op).isPresent();
    }

    /** Whether whole numbers of a few hundred come out exact. */
    public boolean isExact() {
        return ops.stream().allMatch(EpilogueOp::isExact);
    }

    /** Numbers that are rounded in all steps. */
    public int roundings() {
        return ops.stream().mapToInt(EpilogueOp::roundings).sum();
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
