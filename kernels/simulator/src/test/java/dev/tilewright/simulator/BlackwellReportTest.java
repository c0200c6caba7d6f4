package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.testing.ResultFile;
import dev.tilewright.testing.Selection;
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
        Files.writeString(ResultFile.of(JSON), json(report));
        Files.writeString(ResultFile.of(MARKDOWN), markdown(report));
        assertThat(new JsonMapper().readTree(ResultFile.of(JSON).toFile()).get("gpus"))
                .hasSize(2);
    }

    /** For one of the GPUs, by the seed of the run. */
    @Test
    void whatIsCommittedIsWhatTheModelSays() throws IOException {
        JsonMapper mapper = JsonMapper.builder().build();
        BlackwellReport committed = mapper.readValue(JSON.toFile(), BlackwellReport.class);
        assertThat(Files.readString(MARKDOWN)).isEqualTo(markdown(committed));
        assertThat(Files.readString(JSON)).isEqualTo(json(committed));
        int drawn = Math.floorMod(Selection.seed(), BlackwellReport.PRESETS.size());
        assertThat(committed.gpus().get(drawn))
                .isEqualTo(BlackwellReport.OneGpu.of(BlackwellReport.PRESETS.get(drawn)));
    }

    private static String json(BlackwellReport report) {
        return JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n";
    }

    private static String markdown(BlackwellReport report) {
        return "# Blackwell, simulated: the cases of the literature\n\n" + report.markdown();
    }
}
