package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.families.Families;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lines for a shell that ask for what was shown. */
public final class CommandLines {

    private static final DataType DEFAULT = DataType.BF16;

    private CommandLines() {}

    /** The options that name a problem, each behind a blank; what is usual is left out. */
    public static String problem(Problem problem) {
        return problem(problem.groups().stream().map(ProblemShape::toString).collect(Collectors.joining("+")), problem);
    }

    /** The same of a range of M. */
    static String range(RangedProblem problem) {
        return problem(problem.range().toString(), problem.like());
    }

    private static String problem(String shapes, Problem problem) {
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

    /** How to try the best config of a study again, and to take its kernel home. */
    static List<String> ofTheBest(StudyResult study, TrialDocument best) {
        Testbed testbed = study.document().testbed();
        Problem problem = study.document().problem().problem();
        String family = study.document().family();
        return TestbedKind.SIMULATED.isOf(testbed)
                ? List.of(again(problem, family, best.config()) + " --device simulated:" + testbed.device())
                : List.of(again(problem, family, best.config()), export(best.id()));
    }

    /** The same of a best known config. */
    static List<String> ofTheBest(Problem problem, String family, Config config, UUID trial) {
        return List.of(again(problem, family, config), export(trial));
    }

    private static String again(Problem problem, @Nullable String family, Config config) {
        return "again: tilewright tune" + problem(problem) + " "
                + ConfigText.options(Families.standard(), family, config);
    }

    private static String export(UUID trial) {
        return "export: tilewright export --trial " + trial;
    }
}
