package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.cli.board.ConfigTables;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code explain}: a config in words, or all parameters with their values. */
@Command(
        name = "explain",
        description = "Say each part of a config in words, or list the names and values of parameters.",
        footer = {
            "",
            "CONFIG is what --config takes: the words of boards, such as 'static 128x256x64 s4 groupedM8 coop2', or",
            "'NAME=V NAME=V ...', perhaps behind the name of its family. Missing parts are the defaults of the family.",
            "Exit code: 0 done, 1 if the config breaks a rule of the problem, 2 wrong usage."
        })
public final class ExplainCommand implements Callable<Integer> {

    @Parameters(arity = "0..*", paramLabel = "CONFIG", description = "The config; none lists all parameters.")
    private List<String> words = new ArrayList<>();

    @Option(
            names = "--set",
            paramLabel = "NAME=V",
            completionCandidates = KnownNames.OfParameters.class,
            description = "A value of a parameter, as tune, predict and check take it; repeatable.")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = ConfigText.LABEL,
            description = "The same, as the line again: of tune, check and the pages has it.")
    private @Nullable String config;

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfFamilies.class,
            description = "Kernel family: ${COMPLETION-CANDIDATES} (default: the first that has such a config).")
    private @Nullable String family;

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    private final Printer out;

    /** @param out the words */
    public ExplainCommand(Printer out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        Problem problem = problem();
        words.addAll(settings);
        if (config != null) {
            words.add(config);
        }
        if (words.isEmpty()) {
            parameters(named(family), problem);
            return ExitCode.OK.code();
        }
        String text = String.join(" ", words);
        ConfigText given = ConfigText.of(Families.standard(), text);
        String own = ConfigOption.family(text, family);
        return explain(own == null ? having(given.words(), problem) : named(own), problem, given.words());
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

    private static FamilySpace named(@Nullable String name) {
        Families families = Families.standard();
        return name == null ? families.usual() : Syntax.read("--family", name, families::named);
    }

    /** The first family that has these values; of none, the message of the usual one says why. */
    private static FamilySpace having(String words, Problem problem) {
        Families families = Families.standard();
        return families.all().stream()
                .filter(each -> has(each, words, problem))
                .findFirst()
                .orElseGet(families::usual);
    }

    private static boolean has(FamilySpace family, String words, Problem problem) {
        try {
            space(family, problem).kernels().restrict(values(family.vocabulary().read(words)));
            return true;
        } catch (IllegalArgumentException other) {
            return false;
        }
    }

    private static Map<String, List<ParameterValue>> values(Config config) {
        Map<String, List<ParameterValue>> values = new HashMap<>();
        config.values().forEach((name, value) -> values.put(name, List.of(value)));
        return values;
    }

    private static AskedSpace space(FamilySpace family, Problem problem) {
        return AskedSpace.of(family, problem, DeviceLimits.of(KnownNames.USUAL_SMS));
    }

    private void parameters(FamilySpace chosen, Problem problem) {
        out.println("parameters of " + chosen.family() + " for " + ProblemDocument.of(problem)
                + "; those in brackets are tried with --space" + " full or where --set names them");
        out.show(ConfigTables.values(space(chosen, problem).searched()));
    }

    private int explain(FamilySpace chosen, Problem problem, String text) {
        AskedSpace space = space(chosen, problem);
        Config said = Syntax.read("CONFIG", text, chosen.vocabulary()::read);
        Syntax.read("CONFIG", "", _ -> space.kernels().restrict(values(said)));
        Config whole = space.read(text);
        out.println("a config of " + chosen.family() + ":");
        out.show(ConfigTables.of(chosen.vocabulary(), said));
        String defaults = whole.values().entrySet().stream()
                .filter(value -> !said.has(value.getKey()))
                .map(value -> value.getKey() + "=" + value.getValue())
                .collect(Collectors.joining(" "));
        if (!defaults.isEmpty()) {
            out.println("not said, so as usual: " + defaults);
        }
        String missing = space.searched().parameters().stream()
                .map(Parameter::name)
                .filter(name -> !whole.has(name))
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            out.println("not said, so any value: " + missing);
            return ExitCode.OK.code();
        }
        out.println("in short: " + chosen.inShort(whole));
        Optional<String> broken =
                chosen.refusal(problem).or(() -> space.violation(whole).map(Object::toString));
        out.println(broken.map(rule -> "not for " + ProblemDocument.of(problem) + ": " + rule)
                .orElse("it keeps every rule of " + ProblemDocument.of(problem) + " on a GPU of " + KnownNames.USUAL_SMS
                        + " SMs"));
        if (broken.isEmpty()) {
            space.untried(whole).ifPresent(values -> out.println("a search does not try it there: " + values));
        }
        return broken.isPresent() ? ExitCode.NEGATIVE.code() : ExitCode.OK.code();
    }
}
