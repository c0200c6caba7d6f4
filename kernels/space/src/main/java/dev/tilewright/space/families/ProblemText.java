package dev.tilewright.space.families;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.Scales;
import java.util.stream.Collectors;

/** The options of a command line that name a problem. A value that is the default is left out. */
public final class ProblemText {

    private static final DataType DEFAULT = DataType.BF16;

    private ProblemText() {}

    /** Each option behind a blank. */
    public static String of(Problem problem) {
        return of(problem.groups().stream().map(ProblemShape::toString).collect(Collectors.joining("+")), problem);
    }

    /** The same of a range of M. */
    public static String of(RangedProblem problem) {
        return of(problem.range().toString(), problem.like());
    }

    private static String of(String shapes, Problem problem) {
        int busySms = problem.scenario().busySms();
        return " --shape " + shapes
                + (problem.batch() == 1 ? "" : " --batch " + problem.batch())
                + types(problem.types())
                + majors(problem.major())
                + (problem.scales() == Scales.TENSOR ? "" : " --scales " + problem.scales())
                + (problem.epilogue().isNone() ? "" : " --epilogue " + problem.epilogue())
                + (busySms == 0 ? "" : " --busy-sms " + busySms)
                + (problem.scenario().launchOverlap() ? " --launch-overlap" : "");
    }

    private static String types(OperandTypes types) {
        if (!types.equals(OperandTypes.of(types.a()))) {
            return " --types " + types.a() + "," + types.b() + "," + types.d();
        }
        return types.a() == DEFAULT ? "" : " --dtype " + types.a();
    }

    private static String majors(OperandMajors majors) {
        return majors.equals(OperandMajors.DEFAULT)
                ? ""
                : " --major " + majors.a() + "," + majors.b() + "," + majors.d();
    }
}
