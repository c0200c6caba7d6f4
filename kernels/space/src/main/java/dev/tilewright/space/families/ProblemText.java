package dev.tilewright.space.families;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of a command line that name a problem and a device. A value that is the default is left out. */
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

    /** The option of the model of a GPU that a testbed is; empty of a real GPU, which is the default. */
    public static String device(@Nullable Testbed testbed) {
        return TestbedKind.SIMULATED.isOf(testbed) ? " --device simulated:" + testbed.device() : "";
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
