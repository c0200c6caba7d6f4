package dev.tilewright.api.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of a verb as the completions of the command line know them: that program does not see this one.
 * {@code -Dverbs.accept=true} writes them.
 */
public final class VerbOptions {

    private static final Path FILE =
            Path.of("..", "harness-worker", "cli", "src/main/resources/dev/tilewright/worker/cli/service-verbs.txt");

    private VerbOptions() {}

    /** Holds the file to a verb. */
    public static void assertKnown(String verb, CommandLine command) throws IOException {
        List<String> now = Stream.concat(
                        command.getCommandSpec().options().stream()
                                // All verbs have that for help.
                                .filter(option -> !option.hidden() && !option.usageHelp())
                                .map(VerbOptions::line),
                        command.getCommandSpec().positionalParameters().stream().map(ArgSpec::paramLabel))
                .map(words -> verb + " " + words)
                .toList();
        List<String> known = Files.exists(FILE) ? Files.readAllLines(FILE) : List.of();
        if (Boolean.getBoolean("verbs.accept")) {
            List<String> lines = new ArrayList<>(known);
            lines.removeIf(line -> line.startsWith(verb + " "));
            lines.addAll(now);
            Files.write(FILE, lines.stream().sorted().toList());
        } else {
            assertThat(known.stream().filter(line -> line.startsWith(verb + " ")))
                    .as(FILE + ", which -Dverbs.accept=true writes")
                    .containsExactlyInAnyOrderElementsOf(now);
        }
    }

    private static String line(OptionSpec option) {
        String names = String.join(",", option.names());
        if (option.arity().max() == 0) {
            return names;
        }
        Iterable<String> candidates = option.completionCandidates();
        Stream<String> values =
                candidates == null ? Stream.empty() : StreamSupport.stream(candidates.spliterator(), false);
        return Stream.concat(Stream.of(names, option.paramLabel()), values)
                .reduce((first, next) -> first + " " + next)
                .orElseThrow();
    }
}
