package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.cli.board.ConfigTables;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code explain}: a config in words, or all parameters with their values. */
@Command(
        name = "explain",
        description = "Say each part of a config in words, or list the names and values that --set takes.",
        footer = {
            "",
            "CONFIG is what --set takes: 'NAME=V NAME=V ...'. The line 'again:' below a board has the names.",
            "Exit code: 0 done, 1 if the config breaks a rule of the problem, 2 wrong usage."
        })
public final class ExplainCommand implements Callable<Integer> {

    @Parameters(
            arity = "0..*",
            paramLabel = "CONFIG",
            description = "Parameters with their values; none lists all parameters.")
    private List<String> words = new ArrayList<>();

    @Option(
            names = "--set",
            paramLabel = "NAME=V",
            completionCandidates = KnownNames.OfParameters.class,
            description = "The same, as the lines of tune, predict and check have it; repeatable.")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfFamilies.class,
            description = "Kernel family: ${COMPLETION-CANDIDATES} (default: the first that has these parameters).")
    private @Nullable String family;

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    private final PrintStream out;

    /** @param out the words */
    public ExplainCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        Problem problem = problem();
        words.addAll(settings);
        if (words.isEmpty()) {
            parameters(named(), problem);
            return ExitCode.OK.code();
        }
        Config config = Syntax.read("CONFIG", String.join(" ", words), ExplainCommand::parse);
        return explain(family == null ? having(config, problem) : named(), problem, config);
    }

    private static Config parse(String text) {
        if (!text.contains("=")) {
            throw new IllegalArgumentException("must be NAME=V NAME=V ..., got '" + text
                    + "'; the line 'again:' below a board says what it shows in short with names");
        }
        return Config.parse(text);
    }

    private Problem problem() {
        if (!problems.given().containsValue(true)) {
            return KnownNames.USUAL;
        }
        List<ProblemOptions.Named> all = problems.problems("");
        if (all.size() != 1) {
            throw CommandFailedException.usage("--shape: takes one problem here, got " + all.size());
        }
        return all.getFirst().problem();
    }

    private FamilySpace named() {
        Families families = Families.standard();
        return family == null ? families.usual() : Syntax.read("--family", family, families::named);
    }

    private static FamilySpace having(Config config, Problem problem) {
        Families families = Families.standard();
        return families.all().stream()
                .filter(each ->
                        names(space(each, problem)).containsAll(config.values().keySet()))
                .findFirst()
                .orElseGet(families::usual);
    }

    private static SearchSpace space(FamilySpace family, Problem problem) {
        return family.space(problem, DeviceLimits.of(KnownNames.USUAL_SMS));
    }

    private static List<String> names(SearchSpace space) {
        return space.parameters().stream().map(Parameter::name).toList();
    }

    private void parameters(FamilySpace chosen, Problem problem) {
        out.println("parameters of " + chosen.family() + " for " + ProblemDocument.of(problem)
                + "; those in brackets are tried with --space" + " full or where --set names them");
        ConfigTables.values(space(chosen, problem)).forEach(out::println);
    }

    private int explain(FamilySpace chosen, Problem problem, Config config) {
        SearchSpace space = space(chosen, problem);
        Map<String, List<ParameterValue>> given = new HashMap<>();
        config.values().forEach((name, value) -> given.put(name, List.of(value)));
        Syntax.read("CONFIG", "", _ -> space.restrict(given));
        out.println("a config of " + chosen.family() + ":");
        ConfigTables.of(chosen.vocabulary(), config).forEach(out::println);
        List<String> missing =
                names(space).stream().filter(name -> !config.has(name)).toList();
        if (!missing.isEmpty()) {
            out.println("not said, so any value: " + String.join(", ", missing));
            return ExitCode.OK.code();
        }
        Optional<String> broken =
                chosen.refusal(problem).or(() -> space.violation(config).map(Object::toString));
        out.println(broken.map(rule -> "not for " + ProblemDocument.of(problem) + ": " + rule)
                .orElse("it keeps every rule of " + ProblemDocument.of(problem) + " on a GPU of " + KnownNames.USUAL_SMS
                        + " SMs"));
        return broken.isPresent() ? ExitCode.NEGATIVE.code() : ExitCode.OK.code();
    }
}
