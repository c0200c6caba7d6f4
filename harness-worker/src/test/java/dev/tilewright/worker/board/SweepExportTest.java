package dev.tilewright.worker.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.simulator.sweep.Sweep;
import dev.tilewright.simulator.sweep.SweepFile;
import dev.tilewright.simulator.sweep.SweepRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results become stored sweeps, if they are measurements. */
class SweepExportTest {

    @TempDir
    private Path folder;

    @Test
    void theTrialsOfARealGpuAreAddedOnce() throws IOException {
        SweepExport export = new SweepExport(folder, "abc123");
        ResultDocument result = Samples.result("cuda.json");
        ResultDocument.Study study = result.studies().getFirst();
        List<SweepExport.Added> added = export.add(result);
        assertThat(added).singleElement().satisfies(one -> {
            assertThat(one.configs()).isEqualTo(5);
            assertThat(one.timed()).isEqualTo(3);
        });
        Sweep sweep = SweepFile.read(added.getFirst().file());
        assertThat(sweep.shape().m()).isEqualTo(study.problem().m());
        assertThat(sweep.pieces())
                .singleElement()
                .asString()
                .startsWith("NVIDIA H200, driver 580.95.05, ptxas 13.0.88, 132 SMs, clocks factory, commit abc123, job ")
                .contains(result.job().id().toString());
        assertThat(sweep.rows().stream().map(SweepRow::outcome))
                .containsExactlyInAnyOrder(
                        TrialOutcome.COMPLETED,
                        TrialOutcome.COMPLETED,
                        TrialOutcome.COMPLETED,
                        TrialOutcome.SPILL,
                        TrialOutcome.TIMEOUT);
        String before = Files.readString(added.getFirst().file());
        export.add(result);
        assertThat(added.getFirst().file()).hasContent(before);
    }

    @Test
    void whatAModelOrAnEmulatorSaysIsNoSweep() throws IOException {
        SweepExport export = new SweepExport(folder, "");
        assertThat(export.add(Samples.result("simulated.json"))).isEmpty();
        assertThat(export.add(Samples.result("emulated.json"))).isEmpty();
        assertThat(export.add(Samples.result("nothing-completed.json"))).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }
}
