package dev.tilewright.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.cli.CompletionCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The launcher, its usage, the completions and the handbook know the same verbs. */
class VerbsTest {

    private static final Path ROOT = Path.of("..", "..");

    /** Runs a verb that no user types. */
    private static final String HIDDEN = "record";

    private static final CommandLine LINE =
            Main.commandLine(Map.of(), new PrintStream(OutputStream.nullOutputStream()));

    private static TreeSet<String> verbs() {
        TreeSet<String> verbs = new TreeSet<>(LINE.getSubcommands().keySet());
        verbs.addAll(CompletionCommand.OTHERS);
        return verbs;
    }

    private static List<String> found(String file, String pattern) throws IOException {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(Files.readString(ROOT.resolve(file)))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    @Test
    void theUsageOfTheLauncherListsEachVerbOnce() throws IOException {
        assertThat(found("tilewright", "^  ([a-z]+)  +[a-z]")).containsExactlyInAnyOrderElementsOf(verbs());
    }

    @Test
    void theLauncherRunsEachVerb() throws IOException {
        TreeSet<String> run = new TreeSet<>();
        found("tilewright", "^    ([a-z][a-z |]*?)(?: \\| -V \\| --version| \\| -h \\| --help)?\\)")
                .forEach(names -> run.addAll(Arrays.asList(names.split(" \\| "))));
        TreeSet<String> known = verbs();
        known.add(HIDDEN);
        known.add("help");
        assertThat(run).isEqualTo(known);
    }

    private static String launcher(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "tilewright"));
        command.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true);
        builder.environment().remove("HOME");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + ": " + said;
    }

    @Test
    void aWrongVerbIsOneLineWithASuggestion() throws IOException, InterruptedException {
        assertThat(launcher("tun"))
                .isEqualTo("2: tilewright: no verb 'tun'; did you mean tune? (see tilewright --help)\n");
        assertThat(launcher("nonsense")).isEqualTo("2: tilewright: no verb 'nonsense' (see tilewright --help)\n");
    }

    @Test
    void aMachineWithoutHomeGetsNoWordOfTheShell() throws IOException, InterruptedException {
        assertThat(launcher())
                .startsWith("0: usage: tilewright <verb> [options]")
                .doesNotContain("parameter not set");
        assertThat(launcher("--help", "nonsense")).startsWith("2: tilewright: no verb 'nonsense'");
    }

    @Test
    void theHandbookShowsEachVerbAndEachVerbOfAVerb() throws IOException {
        String handbook = Files.readString(ROOT.resolve("docs/command-line.md"))
                + Files.readString(ROOT.resolve("docs/gates.md"));
        Stream<String> nested = LINE.getSubcommands().entrySet().stream()
                .flatMap(verb ->
                        verb.getValue().getSubcommands().keySet().stream().map(below -> verb.getKey() + " " + below));
        assertThat(Stream.concat(verbs().stream(), nested))
                .allSatisfy(verb -> assertThat(handbook).containsPattern("(?m)`(tilewright )?" + verb + "\\b"));
    }
}
