package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.simulator.sweep.Sweep;
import dev.tilewright.simulator.sweep.SweepFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is committed about the cost model is so; with the tag {@code full} it is written. */
class CostModelReportTest {

    private static final Path SWEEPS = Path.of("../../docs/results/h200/sweeps");
    private static final Path ANCHORED = Path.of("../../docs/results/h200/anchored");
    /** The anchored sweeps of random configs are longer than this; the others hold what a search asked for. */
    private static final int SHORT = 100;

    private static final Path JSON = Path.of("../../docs/results/simulator/h200-cost-model.json");
    private static final Path MARKDOWN = Path.of("../../docs/results/simulator/h200-cost-model.md");

    @Test
    @Tag("full")
    void write() throws IOException {
        CostModelReport report = CostModelReport.make(
                System.getProperty("tilewright.commit", "unknown"),
                SimulatedGpus.H200,
                SweepFile.readAll(SWEEPS),
                later());
        Files.writeString(
                JSON,
                JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n");
        Files.writeString(MARKDOWN, report.markdown());
        assertThat(report.shapes()).hasSizeGreaterThanOrEqualTo(12);
        report.fitted()
                .forEach((name, value) -> assertThat(value.committed())
                        .as("%s: commit what the fit says", name)
                        .isCloseTo(value.now(), within(0.05 * value.now())));
    }

    @Test
    void theCommittedFiguresAreThoseOfTheCommittedConstants() throws IOException {
        JsonNode report = new JsonMapper().readTree(JSON.toFile());
        assertThat(report.get("version").asString()).isEqualTo(SimulatedGpus.H200.version());
        List<Sweep> sweeps = SweepFile.readAll(SWEEPS);
        assertThat(report.get("shapes")).hasSize(sweeps.size());
        for (int i = 0; i < sweeps.size(); i++) {
            JsonNode shape = report.get("shapes").get(i);
            assertThat(shape.get("shape").asString())
                    .isEqualTo(sweeps.get(i).shape().toString());
            assertThat(CostModelReport.Judged.of(SimulatedGpus.H200, sweeps.get(i))
                            .spearman())
                    .isCloseTo(shape.get("committed").get("spearman").asDouble(), within(1e-9));
        }
    }

    private static List<Sweep> later() throws IOException {
        return SweepFile.readAll(ANCHORED).stream()
                .filter(sweep -> sweep.rows().size() > SHORT)
                .toList();
    }

    @Test
    void aSpaceWiderThanTheConstantsKnowIsOrdered() throws IOException {
        assertThat(later()).isNotEmpty().allSatisfy(sweep -> {
            CostModelReport.Judged judged = CostModelReport.Judged.of(SimulatedGpus.H200, sweep);
            assertThat(judged.spearman()).isGreaterThanOrEqualTo(0.9);
            assertThat(judged.heldBySixteen()).isGreaterThanOrEqualTo(0.96);
        });
    }

    @Test
    void aShapeThatTheConstantsDoNotKnowIsOrdered() throws IOException {
        // The one that is least like the others: short tiles, of which the epilogue is a third.
        List<Sweep> others = new ArrayList<>(SweepFile.readAll(SWEEPS));
        Sweep left = others.stream()
                .filter(sweep -> sweep.shape().toString().equals("8192x8192x512"))
                .findFirst()
                .orElseThrow();
        others.remove(left);
        CostModelReport.Judged judged = CostModelReport.Judged.of(ConstantFit.fit(SimulatedGpus.H200, others), left);
        assertThat(judged.spearman()).isGreaterThanOrEqualTo(0.9);
        assertThat(judged.heldBySixteen()).isGreaterThanOrEqualTo(0.96);
    }
}
