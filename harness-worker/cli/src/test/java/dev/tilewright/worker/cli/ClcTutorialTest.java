package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the page on cluster launch control say what the page shows. */
class ClcTutorialTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve(Path.of("docs", "emulator", "clc-tutorial.md"));
    private static final String CHECK = "./tilewright check ";

    @TempDir
    private Path directory;

    /** A command, and the lines that the page shows of what it says. */
    private record Step(String command, List<String> shown) {}

    private static List<Step> steps() throws IOException {
        List<Step> steps = new ArrayList<>();
        boolean block = false;
        boolean behindCommand = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```")) {
                block = !block;
                behindCommand = false;
            } else if (block && line.startsWith("$ ")) {
                steps.add(new Step(line.substring(2), new ArrayList<>()));
                behindCommand = true;
            } else if (behindCommand) {
                steps.getLast().shown().add(line.strip());
            }
        }
        return steps;
    }

    private String check(String command) {
        List<String> arguments = new ArrayList<>(List.of("check"));
        Arrays.stream(command.substring(CHECK.length()).split(" "))
                .map(word -> word.equals("rows.ptx")
                        ? directory.resolve(word).toString()
                        : word.startsWith("docs/") ? ROOT.resolve(word).toString() : word)
                .forEach(arguments::add);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RootCommand.commandLine(
                        Map.of(),
                        new CheckCommand(
                                GemmFamilies.standard(),
                                () -> Terminal.NONE,
                                Clock.systemUTC(),
                                new Printer(new PrintStream(out, true, StandardCharsets.UTF_8))))
                .execute(arguments.toArray(String[]::new));
        return out.toString(StandardCharsets.UTF_8);
    }

    private void shell(String command) throws IOException, InterruptedException {
        String here =
                command.replace("docs/examples", ROOT.resolve("docs/examples").toString());
        Process process = new ProcessBuilder("sh", "-c", here)
                .directory(directory.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(command).isZero();
    }

    /** Whether a line has these parts, in their order. */
    private static boolean has(String line, String shown) {
        int at = 0;
        for (String part : shown.split("\\.\\.\\.")) {
            int found = line.indexOf(part.strip(), at);
            if (found < 0) {
                return false;
            }
            at = found + part.strip().length();
        }
        return true;
    }

    @Test
    void everyCommandSaysWhatIsShown() throws IOException, InterruptedException {
        List<Step> steps = steps();
        assertThat(steps).hasSizeGreaterThan(12);
        for (Step step : steps) {
            if (!step.command().startsWith(CHECK)) {
                shell(step.command());
                continue;
            }
            String said = check(step.command());
            assertThat(step.shown()).as(step.command()).isNotEmpty();
            for (String shown : step.shown()) {
                assertThat(said.lines()).as(step.command()).anyMatch(line -> has(line, shown));
            }
        }
    }
}
