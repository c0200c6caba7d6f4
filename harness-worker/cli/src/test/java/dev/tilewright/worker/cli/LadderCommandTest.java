package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.parse.PtxParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LadderCommandTest {

    private record Said(int exit, String out, String err) {}

    private static Said run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringWriter err = new StringWriter();
        CommandLine line = RootCommand.commandLine(
                Map.of(), new LadderCommand(new PrintStream(out, true, StandardCharsets.UTF_8)));
        line.setErr(new PrintWriter(err, true));
        int exit = line.execute(arguments);
        return new Said(exit, out.toString(StandardCharsets.UTF_8), err.toString());
    }

    @Test
    void listsTheStepsAsTheGuideShowsThem() throws IOException {
        Said said = run("ladder");

        assertThat(said.exit()).isZero();
        assertThat(said.out().lines()).hasSizeGreaterThan(5).first().asString().matches("v0  one tile for each CTA.*");
        assertThat(Files.readString(Path.of("../../docs/kernels/ladder.md"))).contains(said.out());
    }

    @Test
    void printsPtxAndEachStepAnotherOrTheSameWithAnotherLaunch() {
        List<String> steps =
                run("ladder").out().lines().map(line -> line.split(" ")[0]).toList();
        List<String> texts =
                steps.stream().map(step -> run("ladder", step).out()).toList();

        assertThat(texts).allSatisfy(text -> assertThat(PtxParser.parse(text)).isNotNull());
        // The raster of v2 is in the arguments alone.
        assertThat(texts.get(2)).isEqualTo(texts.get(1));
        assertThat(texts.stream().distinct()).hasSize(steps.size() - 1);
    }

    @Test
    void anUnknownStepIsRefusedWithThoseThatThereAre() {
        Said said = run("ladder", "v9");

        assertThat(said.exit()).isEqualTo(2);
        assertThat(said.err())
                .isEqualTo("tilewright ladder: STEP: unknown step 'v9'; known: v0, v1, v2, v3, v4, v5, v6"
                        + System.lineSeparator());
    }
}
