package dev.tilewright.launch.bundle;

import dev.tilewright.launch.expression.Bindings;
import dev.tilewright.launch.expression.ExpressionException;
import dev.tilewright.launch.expression.Value;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The problems that a bundle takes.
 *
 * @param scales of its inputs
 * @param batched whether a problem may have a batch of more than 1
 * @param conditions over m, n, k and batch
 * @param only the one problem that it takes, if there is no other
 */
public record BundleProblem(
        OperandTypes types,
        OperandMajors majors,
        Scales scales,
        DataType accumulator,
        boolean batched,
        List<BundleRule> conditions,
        Optional<Problem> only) {
    public BundleProblem {
        conditions = List.copyOf(conditions);
    }

    /** A problem of these extents, with types, layouts and scales of the bundle; the bundle may still refuse it. */
    public Problem of(ProblemShape shape, int batch) {
        return new Problem(List.of(shape), batch, types, majors, Scenario.QUIET, Epilogue.NONE, scales);
    }

    /** Why it does not take a problem; empty if it does. */
    public Optional<String> refusal(Problem problem) {
        if (problem.scenario().launchOverlap()) {
            return Optional.of("the launches of a bundle do not overlap");
        }
        if (only.isPresent()) {
            // The bundle's space knows of its epilogue; a problem that names the same is the same problem.
            Problem asked = problem.beside(Scenario.QUIET).with(Epilogue.NONE);
            return asked.equals(only.get())
                    ? Optional.empty()
                    : Optional.of("takes " + said(only.get()) + " alone, got " + said(asked));
        }
        if (problem.scales() != scales) {
            return Optional.of("takes scales = " + scales + ", got scales = " + problem.scales());
        }
        if (!problem.types().equals(types) || !problem.major().equals(majors)) {
            return Optional.of("takes " + said(types, majors) + ", got " + said(problem.types(), problem.major()));
        }
        if (problem.groups().size() > 1) {
            return Optional.of("takes one shape, got " + problem.groups().size() + " groups");
        }
        if (problem.batch() > 1 && !batched) {
            return Optional.of("takes a batch of 1, got " + problem.batch());
        }
        Bindings scope = new Bindings(numbers(problem));
        try {
            return conditions.stream()
                    .map(condition -> condition.broken(scope))
                    .flatMap(Optional::stream)
                    .findFirst();
        } catch (ExpressionException wrong) {
            throw new BundleException(BundleFiles.DESCRIPTION + ": problem.conditions: " + wrong.getMessage(), wrong);
        }
    }

    /** The values of m, n, k and batch; those of the first group if there are several. */
    static Map<String, Value> numbers(Problem problem) {
        ProblemShape shape = problem.shape();
        return Map.of(
                "m", new Value.Whole(shape.m()),
                "n", new Value.Whole(shape.n()),
                "k", new Value.Whole(shape.k()),
                "batch", new Value.Whole(problem.batch()));
    }

    private static String said(Problem problem) {
        return problem.shapes() + " " + said(problem.types(), problem.major())
                + (problem.scales() == Scales.TENSOR ? "" : ", scales " + problem.scales());
    }

    private static String said(OperandTypes types, OperandMajors majors) {
        return "A " + types.a() + " " + majors.a() + "-major, B " + types.b() + " " + majors.b() + "-major, D "
                + types.d() + " " + majors.d() + "-major";
    }
}
