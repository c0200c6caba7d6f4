package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.link.probe.DeviceProbe;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a shell completes. */
class CompletionCommandTest {

    @TempDir
    private Path folder;

    private static byte[] script() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        int exit = RootCommand.commandLine(
                        Map.of(),
                        new ExplainCommand(new Printer(out)),
                        new PredictCommand(new Printer(out)),
                        new LadderCommand(DeviceProbe.NoDriver::new, LadderCommandTest.NO_TIMER, new Printer(out)),
                        new CompletionCommand(new Printer(out)))
                .execute("completion");
        assertThat(exit).isZero();
        return bytes.toByteArray();
    }

    @Test
    void aShellReadsItsCompletions() throws Exception {
        Process bash = new ProcessBuilder("bash", "-c", "source /dev/stdin && complete -p tilewright")
                .redirectErrorStream(true)
                .start();
        bash.getOutputStream().write(script());
        bash.getOutputStream().close();
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("complete -o default -F _complete_tilewright tilewright");
        assertThat(bash.waitFor()).isZero();
        assertThat(new String(script(), StandardCharsets.UTF_8)).contains("explain", "serve", "--family", "sm90-gemm");
    }

    /** As bash asks, with what is to be completed in brackets; compopt works in a completion alone. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "serve [--no]           | --no-worker",
                "serve --log-format []  | json text",
                "serve --device [sim]   | simulated:b200 simulated:gb200 simulated:h100 simulated:h200",
                "backup [--t]           | --to",
                "restore [--h]          | --help",
                "predict --device [simulated:g] | simulated:gb200",
                "explain --dtype [e]    | e4m3 e5m2",
                "explain --family [sm9] | sm90-gemm",
            })
    void aShellCompletesOptionsAndNames(String typed, String offered) throws Exception {
        Path script = Files.write(folder.resolve("completion.sh"), script());
        String[] words = ("tilewright " + typed.replace("[]", "''").replaceAll("[\\[\\]]", "")).split(" ");
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + script + "; compopt() { :; }; COMP_WORDS=(" + String.join(" ", words)
                                + "); COMP_CWORD=" + (words.length - 1)
                                + "; _complete_tilewright; printf '%s\\n' \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said.lines().map(String::strip).sorted()).containsExactly(offered.split(" "));
    }
}
