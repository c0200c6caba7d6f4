package dev.tilewright.api.best;

import dev.tilewright.api.platform.http.ApiProblem;
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
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The problem of a question, as its parameters say it; each is {@code null} where the question does not.
 *
 * @param shape MxNxK, or several joined by +
 * @param types of A, B and D, such as {@code e4m3,e5m2,bf16}
 * @param major of A, B and D, such as {@code m,k,n}; that of D may be left out
 * @param scales tensor, row or block
 * @param epilogue its steps, such as {@code bias,gelu}
 */
public record AskedProblem(
        @Nullable String shape,
        @Nullable String dtype,
        @Nullable String types,
        @Nullable String major,
        @Nullable Integer batch,
        @Nullable String scales,
        @Nullable String epilogue,
        boolean overlap) {

    /** Whether more is asked than a shape and the name of a type. */
    boolean isWhole() {
        return types != null
                || major != null
                || batch != null
                || scales != null
                || epilogue != null
                || overlap
                || (shape != null && shape.strip().matches(".*[+ ].*"));
    }

    @Nullable
    ProblemShape plainShape() {
        return read("shape", shape, ProblemShape::parse);
    }

    @Nullable
    DataType type() {
        return read("dtype", dtype, DataType::parse);
    }

    /**
     * The problem, if more is asked than a shape and a type.
     *
     * @throws ApiProblem 400 naming the parameter, its text and the rule
     */
    public Problem whole() {
        List<ProblemShape> shapes = read(
                "shape",
                shape,
                // A plus sign that is not written out is a blank.
                text -> Stream.of(text.strip().split("[+ ]", -1))
                        .map(ProblemShape::parse)
                        .toList());
        if (shapes == null) {
            throw ApiProblem.malformed("shape", "is missing: types, layouts, batch and overlap are of one problem");
        }
        if (types != null && dtype != null) {
            throw ApiProblem.malformed("types", "give either dtype or types, got " + dtype + " and " + types);
        }
        DataType one = type();
        OperandTypes operands = read("types", types, OperandTypes::parse);
        OperandMajors majors = read("major", major, OperandMajors::parse);
        Epilogue steps = read("epilogue", epilogue, Epilogue::parse);
        OperandTypes named = operands == null ? OperandTypes.of(one == null ? DataType.BF16 : one) : operands;
        Scales kind = read("scales", scales, text -> scales(text, named));
        Problem problem = read(
                "batch",
                String.valueOf(batch == null ? 1 : batch),
                text -> new Problem(
                        shapes,
                        Integer.parseInt(text),
                        named,
                        majors == null ? OperandMajors.DEFAULT : majors,
                        overlap ? Scenario.QUIET.overlapping() : Scenario.QUIET,
                        steps == null ? Epilogue.NONE : steps,
                        kind == null ? Scales.TENSOR : kind));
        return Objects.requireNonNull(problem);
    }

    /**
     * The range of M that is asked for, its shape as {@code 1-4096x1024x768}.
     *
     * @throws ApiProblem 400 naming the parameter, its text and the rule
     */
    public RangedProblem ranged() {
        ShapeRange range = read("shape", shape, ShapeRange::parse);
        if (range == null) {
            throw ApiProblem.malformed("shape", "is missing: a range of M is LEAST-MOSTxNxK, such as 1-4096x1024x768");
        }
        if (batch != null && batch != 1) {
            throw ApiProblem.malformed("batch", "a range of M is of one GEMM, got " + batch);
        }
        Problem like = new AskedProblem(
                        range.at(range.least()).toString(), dtype, types, major, null, scales, epilogue, overlap)
                .whole();
        return Objects.requireNonNull(read("major", like.major().toString(), _ -> new RangedProblem(range, like)));
    }

    private static Scales scales(String text, OperandTypes types) {
        Scales scales = Scales.parse(text);
        scales.refusal(types).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        return scales;
    }

    private static <T> @Nullable T read(String name, @Nullable String text, Function<String, T> parse) {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw ApiProblem.malformed(name, String.valueOf(e.getMessage()));
        }
    }
}
