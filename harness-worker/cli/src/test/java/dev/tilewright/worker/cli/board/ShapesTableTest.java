package dev.tilewright.worker.cli.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShapesTableTest {

    private static final List<StudyResult> STUDIES = Stream.of("cuda.json", "simulated.json", "grouped.json")
            .flatMap(name -> Samples.result(name).studies().stream())
            .toList();

    /** A golden text; {@code -Dgolden.accept} writes it anew. */
    @Test
    void readsAsExpected() throws IOException {
        Path golden = Path.of("src/test/resources/results/shapes.expected.txt");
        List<ListedShape> listed = List.of(
                new ListedShape("8B qkv", 32.0),
                new ListedShape("decode", 0.5),
                new ListedShape("tiny", 2.0),
                ListedShape.PLAIN);
        String text = String.join("\n", new ShapesTable(STUDIES, listed).lines()) + "\n";
        if (System.getProperty("golden.accept") != null) {
            Files.writeString(golden, text);
        }

        assertThat(text).isEqualTo(Files.readString(golden, StandardCharsets.UTF_8));
    }

    @Test
    void hasNoColumnsForWhatWasNotSaid() {
        List<ListedShape> plain = STUDIES.stream().map(_ -> ListedShape.PLAIN).toList();

        assertThat(new ShapesTable(STUDIES, plain).lines())
                .noneMatch(line -> line.contains("weight") || line.contains("name"));
        assertThatThrownBy(() -> new ShapesTable(STUDIES, List.of())).hasMessage("4 studies, but 0 shapes");
    }

    @Test
    void theTotalIsTheSumOfWeightsTimesTimes() {
        List<StudyResult> one = List.of(STUDIES.getFirst(), STUDIES.getFirst());
        List<String> lines = new ShapesTable(one, List.of(new ListedShape(null, 3.0), ListedShape.PLAIN)).lines();

        assertThat(lines).anyMatch(line -> line.matches(" weighted total .* 150\\.0"));
    }

    @Test
    void leadsAReportOfSeveralShapes() {
        ResultDocument result = Samples.result("simulated.json");
        List<String> lines = new MarkdownReport(null)
                .lines(result, List.of(new ListedShape("decode", 2.0), new ListedShape("tiny", 1.0)));

        assertThat(lines).contains("## Evidence").anyMatch(line -> line.startsWith("| decode | 2048x1024x768 bf16 |"));
        assertThat(new MarkdownReport(null).lines(Samples.result("cuda.json"))).doesNotContain("## Evidence");
    }
}
