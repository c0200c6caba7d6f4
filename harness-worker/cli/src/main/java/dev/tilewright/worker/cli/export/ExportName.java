package dev.tilewright.worker.cli.export;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Sha256;
import java.util.Locale;

/** The default name of an exported kernel, after its problem. */
final class ExportName {

    private static final int LONGEST = 48;
    private static final int HASH_DIGITS = 8;

    private ExportName() {}

    static String of(Problem problem) {
        return of(problem.shapes(), problem);
    }

    static String of(RangedProblem problem) {
        return of(problem.range().toString(), problem.like());
    }

    private static String of(String shapes, Problem problem) {
        String name = "gemm_" + word(shapes)
                + (problem.types().equals(OperandTypes.of(DataType.BF16)) ? "" : types(problem.types()))
                + (problem.major().equals(OperandMajors.DEFAULT) ? "" : majors(problem.major()))
                + (problem.scales() == Scales.TENSOR ? "" : "_" + problem.scales())
                + (problem.epilogue().isNone()
                        ? ""
                        : "_" + word(problem.epilogue().toString()))
                + (problem.scenario().launchOverlap() ? "_overlapped" : "");
        return name.length() <= LONGEST
                ? name
                : name.substring(0, LONGEST - HASH_DIGITS - 1) + "_"
                        + Sha256.hex(name).substring(0, HASH_DIGITS);
    }

    private static String types(OperandTypes types) {
        return types.equals(OperandTypes.of(types.a()))
                ? "_" + types.a()
                : "_" + types.a() + "_" + types.b() + "_" + types.d();
    }

    private static String majors(OperandMajors majors) {
        return "_" + word(majors.a() + "" + majors.b() + majors.d());
    }

    private static String word(String text) {
        return text.toLowerCase(Locale.ROOT)
                .replace("=-", "=minus")
                .replaceAll("[^a-z0-9]+", "_")
                .replaceAll("^_|_$", "");
    }
}
