package dev.tilewright.worker.cli;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.space.families.Families;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.Syntax;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The query of {@code GET /api/v1/best}, and of {@code GET /api/v1/ranges}.
 *
 * @param parameters by name
 */
record BestQuestion(Map<String, String> parameters) {

    /** Of one problem. */
    static BestQuestion of(Problem problem) {
        return new BestQuestion(problem.isPlain() ? plain(problem) : whole(problem));
    }

    /** Of a range of M. */
    static BestQuestion of(RangedProblem problem) {
        return new BestQuestion(whole(problem.like()))
                .with("shape", problem.range().toString());
    }

    /** The same, or of the nearest shape; of a problem that is not plain there is no nearest one. */
    static BestQuestion nearest(Problem problem) {
        BestQuestion exact = of(problem);
        return problem.isPlain() ? exact.with("nearest", "true") : exact;
    }

    /**
     * Of all plain problems, of those of a shape or of a type, or of the one problem that the options say.
     *
     * @throws CommandFailedException if they say a part of a problem without its shape, or several problems
     */
    static BestQuestion of(ProblemOptions problems) {
        Map<String, Boolean> given = problems.given();
        boolean typed = Boolean.TRUE.equals(given.get("--dtype"));
        boolean simple = given.entrySet().stream()
                .allMatch(option -> !option.getValue()
                        || option.getKey().equals("--shape")
                        || option.getKey().equals("--dtype"));
        if (!problems.isNamed()) {
            requireSimple(given, simple);
            return typed
                    ? new BestQuestion(Map.of("dtype", problems.types().a().toString()))
                    : new BestQuestion(Map.of());
        }
        var all = problems.problems("");
        if (all.size() != 1) {
            throw CommandFailedException.usage("--shape: asks for one problem at a time, got " + all.size());
        }
        Problem problem = all.getFirst().problem();
        return simple && !typed && problem.groups().size() == 1
                ? new BestQuestion(Map.of("shape", problem.shape().toString()))
                : of(problem);
    }

    private static void requireSimple(Map<String, Boolean> given, boolean simple) {
        if (!simple) {
            String option = given.entrySet().stream()
                    .filter(each -> each.getValue() && !each.getKey().equals("--dtype"))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow();
            throw CommandFailedException.usage(option + ": is of a problem; name its --shape too");
        }
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
        if (problem.scales() != Scales.TENSOR) {
            question.put("scales", problem.scales().toString());
        }
        if (!problem.epilogue().isNone()) {
            question.put("epilogue", problem.epilogue().toString());
        }
        return question;
    }

    /** The same, on devices with a text in their name and of a family, where these are named. */
    BestQuestion on(@Nullable String testbed, @Nullable String family) {
        BestQuestion there = testbed == null ? this : with("testbed", testbed);
        return family == null ? there : there.with("family", family);
    }

    private BestQuestion with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(parameters);
        more.put(name, value);
        return new BestQuestion(more);
    }

    /** A family as the user named it: one that there is, or of a bundle, which the service knows. */
    static @Nullable String family(@Nullable String name) {
        return name == null || BundleName.parse(name).isPresent()
                ? name
                : Syntax.read("--family", name, Families.standard()::named).family();
    }

    /** Its address. */
    String path() {
        return path("/api/v1/best");
    }

    /** The query for another resource. */
    String path(String resource) {
        return resource
                + parameters.entrySet().stream()
                        .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&", parameters.isEmpty() ? "" : "?", ""));
    }

    /** The filter of the question in words; empty if there is none. */
    String words() {
        return parameters.isEmpty()
                ? ""
                : " for "
                        + parameters.entrySet().stream()
                                .map(each -> each.getKey() + " " + each.getValue())
                                .collect(Collectors.joining(", "));
    }
}
