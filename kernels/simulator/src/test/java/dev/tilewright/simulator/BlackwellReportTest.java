package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The committed figures are those of the committed constants; with the tag {@code full} they are written. */
class BlackwellReportTest {

    /** Tests run in the folder of their module. */
    private static final Path FOLDER = Path.of("../../docs/results/simulator");

    private static final Path JSON = FOLDER.resolve("blackwell.json");
    private static final Path MARKDOWN = FOLDER.resolve("blackwell.md");

    @Test
    @Tag("full")
    void write() throws IOException {
        BlackwellReport report = BlackwellReport.make();
        Files.createDirectories(FOLDER);
        Files.writeString(JSON, json(report));
        Files.writeString(MARKDOWN, markdown(report));
        assertThat(new JsonMapper().readTree(JSON.toFile()).get("gpus")).hasSize(2);
    }

    @Test
    void whatIsCommittedIsWhatTheModelSays() throws IOException {
        BlackwellReport report = BlackwellReport.make();
        assertThat(Files.readString(MARKDOWN)).isEqualTo(markdown(report));
        assertThat(Files.readString(JSON)).isEqualTo(json(report));
    }

    private static String json(BlackwellReport report) {
        return JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n";
    }

    private static String markdown(BlackwellReport report) {
        return "# Blackwell, simulated: the cases of the literature\n\n" + report.markdown();
    }
}
