package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.simulator.sweep.StoredSweep;
import dev.tilewright.testing.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is committed about the cost model is so; with the tag {@code full} it is written. */
class CostModelReportTest {

    private static final Path SWEEPS = Path.of("../../docs/results/h200/sweeps");
    private static final Path BROAD = Path.of("../../docs/results/h200/broad");
    /** Made after the constants, and no part of their fit. */
    private static final Path BROAD_LATER = Path.of("../../docs/results/h200/broad-later");

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
                SweepsOfToday.readAll(SWEEPS),
                SweepsOfToday.readAll(BROAD),
                later());
        Files.writeString(
                ResultFile.of(JSON),
                JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n");
        Files.writeString(ResultFile.of(MARKDOWN), report.markdown());
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
        assertJudged(report.get("shapes"), SweepsOfToday.readAll(SWEEPS));
        assertJudged(report.get("broad"), SweepsOfToday.readAll(BROAD));
    }

    private static void assertJudged(JsonNode shapes, List<StoredSweep> sweeps) {
        assertThat(shapes).hasSize(sweeps.size());
        for (int i = 0; i < sweeps.size(); i++) {
            JsonNode shape = shapes.get(i);
            assertThat(shape.get("shape").asString())
                    .isEqualTo(sweeps.get(i).shape().toString());
            assertThat(CostModelReport.Judged.of(SimulatedGpus.H200, sweeps.get(i))
                            .spearman())
                    .isCloseTo(shape.get("committed").get("spearman").asDouble(), within(1e-9));
        }
    }

    private static List<StoredSweep> later() throws IOException {
        return Stream.concat(
                        SweepsOfToday.readAll(ANCHORED).stream()
                                .filter(sweep -> sweep.rows().size() > SHORT),
                        SweepsOfToday.readAll(BROAD_LATER).stream())
                .toList();
    }

    @Test
    void whatTheConstantsWereNotFittedToIsOrdered() throws IOException {
        assertThat(later()).isNotEmpty().allSatisfy(sweep -> {
            CostModelReport.Judged judged = CostModelReport.Judged.of(SimulatedGpus.H200, sweep);
            assertThat(judged.spearman()).isGreaterThanOrEqualTo(0.9);
            assertThat(judged.heldBySixteen()).isGreaterThanOrEqualTo(0.96);
        });
    }

    /** Left out were all sweeps of the shape; the figures are those that the full test wrote. */
    @Test
    void everyLeftOutShapeWasOrdered() throws IOException {
        JsonNode report = new JsonMapper().readTree(JSON.toFile());
        assertThat(report.get("shapes")).hasSize(12).allSatisfy(CostModelReportTest::assertOrdered);
        assertThat(report.get("broad")).hasSize(11).allSatisfy(CostModelReportTest::assertOrdered);
    }

    private static void assertOrdered(JsonNode shape) {
        JsonNode left = shape.get("leftOut");
        String name = shape.get("shape").asString();
        assertThat(left.get("spearman").asDouble()).as(name).isGreaterThanOrEqualTo(0.9);
        assertThat(left.get("held").get(CostModelReport.PICKS.indexOf(16)).asDouble())
                .as(name)
                .isGreaterThanOrEqualTo(0.96);
    }

    @Test
    void aShapeThatTheConstantsDoNotKnowIsOrdered() throws IOException {
        // The one that is least like the others: short tiles, of which the epilogue is a third.
        List<StoredSweep> narrow = SweepsOfToday.readAll(SWEEPS);
        List<StoredSweep> broad = SweepsOfToday.readAll(BROAD);
        ProblemShape left = ProblemShape.parse("8192x8192x512");
        GpuConstants fit = ConstantFit.fit(
                SimulatedGpus.H200,
                CostModelReport.without(
                        Stream.concat(narrow.stream(), broad.stream()).toList(), left));
        assertOrdered(fit, narrow, left);
        assertOrdered(fit, broad, left);
    }

    private static void assertOrdered(GpuConstants fit, List<StoredSweep> sweeps, ProblemShape left) {
        assertThat(sweeps)
                .filteredOn(sweep -> sweep.shape().equals(left))
                .singleElement()
                .satisfies(sweep -> {
                    CostModelReport.Judged judged = CostModelReport.Judged.of(fit, sweep);
                    assertThat(judged.spearman()).isGreaterThanOrEqualTo(0.9);
                    assertThat(judged.heldBySixteen()).isGreaterThanOrEqualTo(0.96);
                });
    }
}
