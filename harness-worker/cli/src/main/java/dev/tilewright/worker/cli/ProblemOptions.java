package dev.tilewright.worker.cli;

import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.problem.Suggestion;
import dev.tilewright.space.families.Families;
import dev.tilewright.worker.cli.board.ListedShape;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.Syntax;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which problems: plain GEMMs, groups of them, batches, of which types and layouts. */
final class ProblemOptions {

    @Option(
            names = "--shape",
            paramLabel = "MxNxK[+MxNxK...]",
            description = "Problem shape, or several joined by + that are computed at once; repeatable, each a problem"
                    + " of its own. tune, predict, check and export take a range of M too, such as 1-4096x1024x768.")
    private List<String> shapes = new ArrayList<>();

    @Option(
            names = "--group",
            paramLabel = "MxNxK",
            description =
                    "Shape of one GEMM of a group that is computed at once; repeatable: all of them are one problem.")
    private List<String> groups = new ArrayList<>();

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "How many GEMMs of each shape a problem has, each with operands of its own (default: 1).")
    private @Nullable Integer batch;

    @Option(
            names = "--launch-overlap",
            description = "Let each launch start before the one ahead of it has ended (programmatic dependent launch)."
                    + " Such times are not compared with those of ordinary launches, and no peer has any.")
    private boolean launchOverlap;

    @Mixin
    private OperandOptions operands = new OperandOptions();

    /**
     * A problem.
     *
     * @param option the option and the text that said it, or the line of a file
     */
    record Named(String option, Problem problem, ListedShape listed) {}

    /**
     * A range of M.
     *
     * @param option the option and the text that said it
     */
    record NamedRange(String option, RangedProblem problem) {}

    /** Where the options do not say them, types and layouts are those of a problem. */
    void unlessGiven(Problem other) {
        operands.unlessGiven(other);
    }

    /** The types of all problems. */
    OperandTypes types() {
        return operands.types();
    }

    /** The layouts of all problems. */
    OperandMajors majors() {
        return operands.majors();
    }

    /** Whether any option says something of a problem. */
    boolean isGiven() {
        return given().containsValue(true);
    }

    /** All of them: problems with one number of rows, and ranges of M. */
    record Asked(List<Named> singles, List<NamedRange> ranges) {

        /** Each of them in each scenario, with the launch overlap that it has. */
        Asked beside(List<Scenario> scenarios) {
            return new Asked(
                    singles.stream()
                            .flatMap(named -> scenarios.stream()
                                    .map(scenario -> new Named(
                                            named.option(), beside(named.problem(), scenario), named.listed())))
                            .toList(),
                    ranges.stream()
                            .flatMap(named -> scenarios.stream()
                                    .map(scenario -> new NamedRange(
                                            named.option(),
                                            new RangedProblem(
                                                    named.problem().range(),
                                                    beside(named.problem().like(), scenario)))))
                            .toList());
        }

        private static Problem beside(Problem problem, Scenario scenario) {
            return problem.beside(problem.scenario().launchOverlap() ? scenario.overlapping() : scenario);
        }
    }

    /**
     * All problems, those of {@code --shape} first.
     *
     * @param others what else could be named, for the case that there is none
     */
    List<Named> problems(String others) {
        Asked asked = asked(others, Optional.empty());
        asked.ranges().stream().findFirst().ifPresent(range -> {
            throw CommandFailedException.usage(
                    range.option() + ": a range of M is taken by tune, predict, check and export alone");
        });
        return asked.singles();
    }

    /**
     * All problems and ranges of M, those of the file last. What a line does not say is what the options say.
     *
     * @param others what else could be named, for the case that there is neither
     * @param file {@code --shapes}
     */
    Asked asked(String others, Optional<ShapesFile> file) {
        Syntax.requirePositive("--batch", batch);
        if (shapes.isEmpty() && groups.isEmpty() && file.isEmpty()) {
            throw CommandFailedException.usage("--shape: is missing; name a problem shape MxNxK" + others);
        }
        List<Named> singles = new ArrayList<>();
        List<NamedRange> ranges = new ArrayList<>();
        for (String text : shapes) {
            if (ShapeRange.isMeant(text)) {
                ranges.add(range(text));
            } else {
                singles.add(named("--shape", text, List.of(text.split("\\+", -1))));
            }
        }
        if (!groups.isEmpty()) {
            singles.add(named("--group", String.join(" ", groups), groups));
        }
        file.ifPresent(listed -> {
            for (ShapesFile.Line line : listed.shapes(this::refusal)) {
                String option = "--shapes " + listed.name() + ", line " + line.line();
                if (line.mTo() == null) {
                    singles.add(new Named(option, problem(line), line.listed()));
                } else {
                    ranges.add(range(option, line));
                }
            }
        });
        return new Asked(singles, ranges);
    }

    private NamedRange range(String option, ShapesFile.Line line) {
        ProblemShape least = line.shape();
        ShapeRange range = new ShapeRange(least.m(), Objects.requireNonNull(line.mTo()), least.n(), least.k());
        Integer times = line.batch() == null ? batch : line.batch();
        if (times != null && times != 1) {
            throw CommandFailedException.usage(
                    option + ": a range of M is of one GEMM, got batch " + times + " of " + range);
        }
        return new NamedRange(option, Syntax.read("--major", "", _ -> new RangedProblem(range, problem(line))));
    }

    private Problem problem(ShapesFile.Line line) {
        OperandTypes types = line.types();
        Integer times = line.batch();
        return problem(
                List.of(line.shape()),
                times == null ? batch == null ? 1 : batch : times,
                types == null ? types() : types);
    }

    /**
     * Why none of the families whose kernels we build computes the problem of a line; the reason of the first of them.
     */
    private Optional<String> refusal(ShapesFile.Line line) {
        List<Optional<String>> reasons = Families.standard().all().stream()
                .filter(family -> !family.isInstalled())
                .map(family -> family.refusal(problem(line)))
                .toList();
        return reasons.stream().allMatch(Optional::isPresent) ? reasons.getFirst() : Optional.empty();
    }

    private Named named(String option, String text, List<String> shapes) {
        List<ProblemShape> parsed = shapes.stream()
                .map(shape -> Syntax.read(option, shape, Suggestion::readShape))
                .toList();
        return new Named(option + " " + text, problem(parsed, batch == null ? 1 : batch, types()), ListedShape.PLAIN);
    }

    private NamedRange range(String text) {
        ShapeRange range = Syntax.read("--shape", text, ShapeRange::parse);
        if (batch != null && batch != 1) {
            throw CommandFailedException.usage("--batch: a range of M is of one GEMM, got " + batch + " of " + text);
        }
        Problem like = problem(List.of(range.at(range.least())), 1, types());
        return new NamedRange("--shape " + text, Syntax.read("--major", "", _ -> new RangedProblem(range, like)));
    }

    private Problem problem(List<ProblemShape> shapes, int times, OperandTypes types) {
        return new Problem(
                shapes,
                times,
                types,
                majors(),
                launchOverlap ? Scenario.QUIET.overlapping() : Scenario.QUIET,
                operands.epilogue(),
                operands.scales(types));
    }

    /** Whether there is a problem at all. */
    boolean isNamed() {
        return !shapes.isEmpty() || !groups.isEmpty();
    }

    /** Names of the options, and whether each was given. */
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
