package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.problem.ShapeRange;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A problem as requests and answers have it. A request says it in short (m, n, k, dtype) or in full (groups and types),
 * an answer says both. What is left out has its usual value, also in a document of before there were others.
 *
 * @param m rows of the first group, as n and k are of it; the least of them where there is {@code mTo}
 * @param mTo the most rows of a range: a problem for any number of rows from {@code m} on, tuned as one; absent of a
 *     problem with one number of rows
 * @param n columns of D in the first group
 * @param k length of the sums in the first group
 * @param dtype of A
 * @param groups all shapes
 * @param batch how many GEMMs of each shape there are
 * @param types element types of A, B and D
 * @param major dimensions of A, B and D whose neighbours are neighbours in memory
 * @param scenario what else the GPU does meanwhile
 * @param epilogue what is done to the sums before they are stored, such as {@code bias,gelu}; absent if nothing
 * @param scales which elements of inputs of 8 bits share a scale: {@code tensor}, {@code row} or {@code block}; absent
 *     if it is all of a tensor
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProblemDocument(
        @Nullable Integer m,
        @Nullable Integer mTo,
        @Nullable Integer n,
        @Nullable Integer k,

        @JsonProperty(defaultValue = "bf16") @Nullable DataType dtype,

        @Nullable List<Extents> groups,
        @JsonProperty(defaultValue = "1") @Nullable Integer batch,
        @Nullable OperandTypes types,
        @Nullable OperandMajors major,
        @Nullable Scenario scenario,
        @Nullable Epilogue epilogue,
        @JsonProperty(defaultValue = "tensor") @Nullable Scales scales) {

    /** Shapes that are written out; of more there is only the number. */
    private static final int MOST_SHAPES = 8;

    /**
     * Extents of one group; a request may lack some of them.
     *
     * @param m rows of D
     * @param n columns of D
     * @param k length of the sums
     */
    public record Extents(
            @Nullable Integer m,
            @Nullable Integer n,
            @Nullable Integer k) {

        private static Extents of(ProblemShape shape) {
            return new Extents(shape.m(), shape.n(), shape.k());
        }

        private ProblemShape shape() {
            return new ProblemShape(Objects.requireNonNull(m), Objects.requireNonNull(n), Objects.requireNonNull(k));
        }
    }

    /** Both forms of a problem, for an answer. */
    public static ProblemDocument of(Problem problem) {
        ProblemShape shape = problem.shape();
        return new ProblemDocument(
                shape.m(),
                null,
                shape.n(),
                shape.k(),
                problem.types().a(),
                groups(problem),
                problem.batch(),
                problem.types(),
                problem.major(),
                problem.scenario(),
                epilogue(problem),
                scales(problem));
    }

    /** No more than it takes to say a problem, for a request. */
    public static ProblemDocument inShort(Problem problem) {
        boolean grouped = problem.groups().size() > 1;
        ProblemShape shape = problem.shape();
        OperandTypes types = problem.types();
        boolean oneName = types.equals(OperandTypes.of(types.a()));
        return new ProblemDocument(
                grouped ? null : shape.m(),
                null,
                grouped ? null : shape.n(),
                grouped ? null : shape.k(),
                oneName ? types.a() : null,
                grouped ? groups(problem) : null,
                problem.batch() == 1 ? null : problem.batch(),
                oneName ? null : types,
                problem.major().equals(OperandMajors.DEFAULT) ? null : problem.major(),
                problem.scenario().equals(Scenario.QUIET) ? null : problem.scenario(),
                epilogue(problem),
                scales(problem));
    }

    /** Both forms of a range of M, for an answer; its groups have the least M. With one M it is that problem. */
    public static ProblemDocument of(RangedProblem ranged) {
        ShapeRange range = ranged.range();
        return range.least() == range.most()
                ? of(ranged.least())
                : of(ranged.least()).upTo(range.most());
    }

    /** No more than it takes to say a range of M, for a request. */
    public static ProblemDocument inShort(RangedProblem ranged) {
        return inShort(ranged.least()).upTo(ranged.range().most());
    }

    private ProblemDocument upTo(int most) {
        return new ProblemDocument(m, most, n, k, dtype, groups, batch, types, major, scenario, epilogue, scales);
    }

    private static @Nullable Epilogue epilogue(Problem problem) {
        return problem.epilogue().isNone() ? null : problem.epilogue();
    }

    private static @Nullable Scales scales(Problem problem) {
        return problem.scales() == Scales.TENSOR ? null : problem.scales();
    }

    private static List<Extents> groups(Problem problem) {
        return problem.groups().stream().map(Extents::of).toList();
    }

    /** Whether it says a range of M, right or wrong. */
    @JsonIgnore
    public boolean isRanged() {
        return mTo != null;
    }

    /**
     * The range of M.
     *
     * @throws RuntimeException if an extent is missing, or no range has such a value
     */
    public RangedProblem ranged() {
        ShapeRange range = ShapeRange.asked(
                Objects.requireNonNull(m),
                Objects.requireNonNull(mTo),
                Objects.requireNonNull(n),
                Objects.requireNonNull(k));
        return new RangedProblem(range, problem());
    }

    /**
     * The problem; of a range that with the least M.
     *
     * @throws RuntimeException if an extent is missing, or no problem has such a value
     */
    public Problem problem() {
        return new Problem(
                (groups == null ? List.of(new Extents(m, n, k)) : groups)
                        .stream().map(Extents::shape).toList(),
                Objects.requireNonNullElse(batch, 1),
                operands(),
                Objects.requireNonNullElse(major, OperandMajors.DEFAULT),
                Objects.requireNonNullElse(scenario, Scenario.QUIET),
                Objects.requireNonNullElse(epilogue, Epilogue.NONE),
                Objects.requireNonNullElse(scales, Scales.TENSOR));
    }

    /** Element types of A, B and D, as {@code types} or {@code dtype} says them. */
    public OperandTypes operands() {
        return types == null ? OperandTypes.of(Objects.requireNonNullElse(dtype, DataType.BF16)) : types;
    }

    /** As people read it: the extents of all GEMMs, and what is not as usual. */
    @Override
    public String toString() {
        Problem whole = problem();
        int shapes = whole.groups().size();
        String sum = isRanged()
                ? ranged().range().toString()
                : whole.groups().stream()
                                .limit(MOST_SHAPES)
                                .map(ProblemShape::toString)
                                .collect(Collectors.joining(" + "))
                        + (shapes > MOST_SHAPES ? " + " + (shapes - MOST_SHAPES) + " more" : "");
        OperandTypes operands = operands();
        String text = (whole.batch() > 1 ? whole.batch() + " x (" + sum + ")" : sum) + " " + operands.a();
        if (!operands.equals(OperandTypes.of(operands.a()))) {
            text += "," + operands.b() + "," + operands.d();
        }
        OperandMajors majors = whole.major();
        if (!majors.equals(OperandMajors.DEFAULT)) {
            text += " major " + majors.a() + "," + majors.b() + "," + majors.d();
        }
        if (whole.scales() != Scales.TENSOR) {
            text += " scales " + whole.scales();
        }
        if (!whole.epilogue().isNone()) {
            text += " + " + whole.epilogue();
        }
        if (whole.scenario().busySms() > 0) {
            text += ", " + whole.scenario().busySms() + " SMs held";
        }
        return whole.scenario().launchOverlap() ? text + ", launches overlap" : text;
    }
}
