package dev.tilewright.worker.cli;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.family.Families;
import dev.tilewright.worker.link.command.Syntax;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code GET /api/v1/best} is asked, as the end of its address. */
final class BestQuestion {

    private BestQuestion() {}

    /** A family as the user named it: one that there is, or of a bundle, which the service knows. */
    static String family(String name) {
        return BundleName.parse(name).isPresent()
                ? name
                : Syntax.read("--family", name, Families.standard()::named).family();
    }

    /** Of all plain problems. */
    static String ofAll(@Nullable String testbed, @Nullable String family) {
        return text(new LinkedHashMap<>(), testbed, family);
    }

    /** Of one problem. */
    static String of(Problem problem, @Nullable String testbed, @Nullable String family) {
        return text(problem.isPlain() ? plain(problem) : whole(problem), testbed, family);
    }

    /** The same, or of the nearest shape; of a problem that is not plain there is no nearest one. */
    static String nearest(Problem problem, @Nullable String testbed, @Nullable String family) {
        return of(problem, testbed, family) + (problem.isPlain() ? "&nearest=true" : "");
    }

    private static Map<String, String> plain(Problem problem) {
        Map<String, String> question = new LinkedHashMap<>();
        question.put("shape", problem.shape().toString());
        question.put("dtype", problem.types().a().toString());
        return question;
    }

    private static Map<String, String> whole(Problem problem) {
        OperandTypes types = problem.types();
        OperandMajors majors = problem.major();
        Map<String, String> question = new LinkedHashMap<>();
        question.put(
                "shape", problem.groups().stream().map(ProblemShape::toString).collect(Collectors.joining("+")));
        question.put("types", types.a() + "," + types.b() + "," + types.d());
        question.put("major", majors.a() + "," + majors.b() + "," + majors.d());
        question.put("batch", Integer.toString(problem.batch()));
        question.put("overlap", Boolean.toString(problem.scenario().launchOverlap()));
        return question;
    }

    private static String text(Map<String, String> question, @Nullable String testbed, @Nullable String family) {
        if (testbed != null) {
            question.put("testbed", testbed);
        }
        if (family != null) {
            question.put("family", family);
        }
        return question.isEmpty()
                ? ""
                : question.entrySet().stream()
                        .map(entry ->
                                entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&", "?", ""));
    }
}
