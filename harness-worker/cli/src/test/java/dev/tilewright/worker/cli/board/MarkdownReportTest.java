package dev.tilewright.worker.cli.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownReportTest {

    /** Golden texts; {@code -Dgolden.accept} writes them anew. */
    @ParameterizedTest
    @ValueSource(strings = {"cuda", "simulated", "emulated", "grouped", "nothing-completed"})
    void readsAsExpected(String name) throws IOException {
        Path golden = Path.of("src/test/resources/results", name + ".expected.md");
        String text = String.join("\n", new MarkdownReport("0123abc").lines(Samples.result(name + ".json"))) + "\n";
        if (System.getProperty("golden.accept") != null) {
            Files.writeString(golden, text);
        }

        assertThat(text).isEqualTo(Files.readString(golden, StandardCharsets.UTF_8));
    }

    @Test
    void saysSimulatedInTheHeadingAndInEveryRow() {
        List<String> lines = new MarkdownReport(null).lines(Samples.result("simulated.json"));

        assertThat(lines).first().asString().contains("simulated");
        assertThat(lines.stream().filter(line -> line.startsWith("| 2048x1024x768")))
                .hasSize(4)
                .allMatch(line -> line.contains("| simulated h200 |") || line.contains("| simulated |"));
    }

    @Test
    void everyRowHasAsManyCellsAsItsHeader() {
        for (String name : List.of("cuda", "simulated", "emulated", "grouped", "nothing-completed")) {
            List<String> lines = new MarkdownReport(null).lines(Samples.result(name + ".json"));
            long cells = 0;
            for (String line : lines) {
                if (line.startsWith("| shape")) {
                    cells = line.chars().filter(c -> c == '|').count();
                } else if (line.startsWith("|")) {
                    assertThat(line.chars().filter(c -> c == '|').count())
                            .as(line)
                            .isEqualTo(cells);
                }
            }
        }
    }

    @Test
    void aCommitThatIsNotKnownIsNotSaid() {
        assertThat(new MarkdownReport("0123abc").lines(Samples.result("cuda.json")))
                .contains("* commit 0123abc");
        assertThat(new MarkdownReport(null).lines(Samples.result("cuda.json")))
                .noneMatch(line -> line.contains("commit"));
    }
}
