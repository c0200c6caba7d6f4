package dev.tilewright.worker.cli;

import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which problems: plain GEMMs, groups of them, batches, of which types and layouts. */
final class ProblemOptions {

    @Option(
            names = "--shape",
            paramLabel = "MxNxK[+MxNxK...]",
            description = "Problem shape, or several joined by + that are computed at once; repeatable, each a problem"
                    + " of its own.")
    private List<String> shapes = new ArrayList<>();

    @Option(
            names = "--group",
            paramLabel = "MxNxK",
            description = "One of several GEMMs that are computed at once; repeatable, all together one problem.")
    private List<String> groups = new ArrayList<>();

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "How many GEMMs of each shape a problem has, each with operands of its own (default: 1).")
    private @Nullable Integer batch;

    @Option(
            names = "--launch-overlap",
            description = "Each launch may start before the one ahead of it has ended (programmatic dependent launch)."
                    + " Its times are another question than those of ordinary launches, and have no peer.")
    private boolean launchOverlap;

    @Mixin
    private OperandOptions operands = new OperandOptions();

    /** A problem with the option and the text that said it. */
    record Named(String option, Problem problem) {}

    /** The types of all problems. */
    OperandTypes types() {
        return operands.types();
    }

    /** The layouts of all problems. */
    OperandMajors majors() {
        return operands.majors();
    }

    /**
     * All problems, those of {@code --shape} first.
     *
     * @param others what else could be named, for the case that there is none
     */
    List<Named> problems(String others) {
        Syntax.requirePositive("--batch", batch);
        if (shapes.isEmpty() && groups.isEmpty()) {
            throw new CommandFailedException(
                    ExitCode.USAGE, "--shape: is missing; name a problem shape MxNxK" + others);
        }
        Stream<Named> plain = shapes.stream().map(text -> named("--shape", text, List.of(text.split("\\+", -1))));
        Stream<Named> grouped =
                groups.isEmpty() ? Stream.empty() : Stream.of(named("--group", String.join(" ", groups), groups));
        return Stream.concat(plain, grouped).toList();
    }

    private Named named(String option, String text, List<String> shapes) {
        List<ProblemShape> parsed = shapes.stream()
                .map(shape -> Syntax.read(option, shape, ProblemShape::parse))
                .toList();
        return new Named(
                option + " " + text,
                new Problem(
                        parsed,
                        batch == null ? 1 : batch,
                        types(),
                        majors(),
                        launchOverlap ? Scenario.QUIET.overlapping() : Scenario.QUIET));
    }

    /** Which of the options were given. */
    Map<String, Boolean> given() {
        Map<String, Boolean> given = new LinkedHashMap<>();
        given.put("--shape", !shapes.isEmpty());
        given.put("--group", !groups.isEmpty());
        given.put("--batch", batch != null);
        given.put("--launch-overlap", launchOverlap);
        operands.given().forEach(option -> given.put(option, true));
        return given;
    }
}
