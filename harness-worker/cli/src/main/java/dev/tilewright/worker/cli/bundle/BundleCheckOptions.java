package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.bundle.BundleProblem;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.proof.file.CheckProgress;
import dev.tilewright.worker.cli.ProofOptions;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.Syntax;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code bundle check}: the configs to run, and how. */
final class BundleCheckOptions {
    private static final int DEFAULT_TRIALS = 8;
    private static final Pattern SHAPE = Pattern.compile("(\\d+x\\d+x\\d+)(?:x(\\d{1,9}))?");

    @Option(
            names = "--shape",
            paramLabel = "MxNxK[xBATCH]",
            description =
                    "Prove at this shape; repeatable (default: a few small ones that the bundle takes, by --seed).")
    private List<String> shapes = new ArrayList<>();

    @Option(
            names = "--set",
            paramLabel = "NAME=V[,V...]",
            description = "Only these values of a parameter that the bundle declares; repeatable.")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--trials",
            paramLabel = "N",
            description = "Configs to draw, if there are more (default: " + DEFAULT_TRIALS + ").")
    private @Nullable Integer trials;

    @Option(names = "--all", description = "Prove every config.")
    private boolean all;

    @Mixin
    private ProofOptions proof = new ProofOptions();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the verdicts to this file.")
    private @Nullable Path jsonFile;

    @Option(
            names = "--helper",
            paramLabel = "PROGRAM",
            description = "Run this host program of the bundle, which says how its kernels are launched.")
    private @Nullable String helper;

    ProofPlan plan() {
        Syntax.requirePositive("--trials", trials);
        Syntax.requireWritable("--json", jsonFile);
        if (all && trials != null) {
            throw CommandFailedException.usage(
                    "--all: checks every config, so that --trials " + trials + " has no meaning");
        }
        return proof.plan();
    }

    CheckOptions run(CheckProgress progress) {
        return proof.run(progress);
    }

    Optional<Path> json() {
        return Optional.ofNullable(jsonFile);
    }

    Optional<String> helper() {
        return Optional.ofNullable(helper);
    }

    /** How many configs are drawn; empty for all of them. */
    Optional<Integer> trials() {
        return all ? Optional.empty() : Optional.of(trials == null ? DEFAULT_TRIALS : trials);
    }

    Map<String, List<ParameterValue>> settings() {
        return Syntax.settings("--set", settings);
    }

    /** The problems that were asked for. */
    List<Problem> problems(BundleProblem takes) {
        return shapes.stream().map(text -> problem(takes, text)).toList();
    }

    /** A problem of a shape that the bundle takes. */
    static Problem problem(BundleProblem takes, String text) {
        return Syntax.read("--shape", text, _ -> {
            Matcher matcher = SHAPE.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "a shape is MxNxK or MxNxKxBATCH, such as 200x136x72, got '" + text + "'");
            }
            Problem problem = takes.of(
                    ProblemShape.parse(matcher.group(1)),
                    matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2)));
            takes.refusal(problem).ifPresent(reason -> {
                throw new IllegalArgumentException(text + ": the bundle " + reason);
            });
            return problem;
        });
    }
}
