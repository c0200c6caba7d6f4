package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SweepsCommandTest {

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter errors = new StringWriter();

    private int sweeps(Path result) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        CommandLine line = RootCommand.commandLine(Map.of(), new SweepsCommand(new Printer(stream), stream));
        line.setErr(new PrintWriter(errors, true));
        return line.execute(
                "sweeps", result.toString(), "--to", folder.resolve("sweeps").toString());
    }

    private static Path sample(String name) {
        return Path.of("src/test/resources/results", name);
    }

    @Test
    void storesWhatWasMeasured() {
        assertThat(sweeps(sample("cuda.json"))).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("configs, 3 with a time");
    }

    @Test
    void saysWhyNothingIsStored() {
        assertThat(sweeps(sample("emulated.json"))).isEqualTo(1);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "nothing was stored: a sweep has times of one plain GEMM on a real GPU, and the studies of the"
                                + " results are emulated\n");
    }

    @Test
    void aFileOfColumnsThatIsDamagedIsNamedOnce() throws IOException {
        Path file = Files.writeString(folder.resolve("x.columns"), "x");

        assertThat(sweeps(file)).isEqualTo(2);

        assertThat(errors.toString()).containsOnlyOnce(file.toString()).contains("no file of columns");
    }

    @Test
    void aFileThatIsNoJsonIsNamedWithThePlace() throws IOException {
        Path file = Files.writeString(folder.resolve("x.json"), "{\n \"job\": oops\n}");

        assertThat(sweeps(file)).isEqualTo(2);

        assertThat(errors.toString())
                .contains(file + ": is not a result document of tune --json: is no JSON from line 2, column ")
                .doesNotContain("REDACTED", "StreamReadFeature", "oken");
    }
}
