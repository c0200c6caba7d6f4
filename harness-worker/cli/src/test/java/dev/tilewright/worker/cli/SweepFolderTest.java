package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.simulator.sweep.StoredSweep;
import dev.tilewright.simulator.sweep.SweepFile;
import dev.tilewright.simulator.sweep.SweepRow;
import dev.tilewright.worker.cli.board.SweepExport;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Results become stored sweeps, if they are measurements. */
class SweepFolderTest {

    @TempDir
    private Path folder;

    private static ResultDocument result(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(SweepFolderTest.class.getResourceAsStream("/results/" + name))) {
            return Json.mapper().readValue(in, ResultDocument.class);
        }
    }

    @Test
    void theTrialsOfARealGpuAreAddedOnce() throws IOException {
        SweepFolder sweeps = new SweepFolder(folder);
        ResultDocument result = result("cuda.json");
        StudyResult study = result.studies().getFirst();
        List<SweepFolder.Added> added = sweeps.add(new SweepExport("abc123").sweeps(result));
        assertThat(added).singleElement().satisfies(one -> {
            assertThat(one.configs()).isEqualTo(5);
            assertThat(one.timed()).isEqualTo(3);
        });
        StoredSweep sweep = SweepFile.read(added.getFirst().file());
        assertThat(sweep.shape().m()).isEqualTo(study.document().problem().m());
        assertThat(sweep.pieces())
                .singleElement()
                .asString()
                .startsWith(
                        "NVIDIA H200, driver 580.95.05, ptxas 13.0.88, 132 SMs, clocks factory, commit abc123, job ")
                .contains(result.job().id().toString());
        assertThat(sweep.rows().stream().map(SweepRow::outcome))
                .containsExactlyInAnyOrder(
                        TrialOutcome.COMPLETED,
                        TrialOutcome.COMPLETED,
                        TrialOutcome.COMPLETED,
                        TrialOutcome.SPILL,
                        TrialOutcome.TIMEOUT);
        String before = Files.readString(added.getFirst().file());
        sweeps.add(new SweepExport("abc123").sweeps(result));
        assertThat(added.getFirst().file()).hasContent(before);
    }

    /** Times of several GEMMs are none of the plain shape. */
    @Test
    void groupsAndBatchesAreNoSweep() throws IOException {
        ResultDocument result = result("cuda.json");
        assertThat(new SweepExport("").sweeps(result)).hasSize(1);
        String shape = "{\"m\": 640, \"n\": 384, \"k\": 256}";
        for (String several : List.of("\"batch\": 4", "\"groups\": [" + shape + ", " + shape + "]")) {
            ObjectNode document = (ObjectNode) Json.mapper().valueToTree(result);
            ObjectNode problem = (ObjectNode) document.get("studies").get(0).get("problem");
            problem.setAll((ObjectNode) Json.mapper().readTree("{" + several + "}"));
            assertThat(new SweepExport("").sweeps(Json.mapper().treeToValue(document, ResultDocument.class)))
                    .as(several)
                    .isEmpty();
        }
    }

    @Test
    void whatAModelOrAnEmulatorSaysIsNoSweep() throws IOException {
        SweepExport export = new SweepExport("");
        for (String name : List.of("simulated.json", "emulated.json", "nothing-completed.json")) {
            assertThat(new SweepFolder(folder).add(export.sweeps(result(name)))).isEmpty();
        }
        assertThat(folder).isEmptyDirectory();
    }
}
