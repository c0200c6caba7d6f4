package dev.tilewright.simulator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is read back, and sweeps grow piece by piece. */
class SweepFileTest {

    private static final ProblemShape SHAPE = new ProblemShape(512, 8192, 1024);

    @TempDir
    private Path folder;

    private static SweepRow row(String config, int piece, double ns, Double ratio) {
        return new SweepRow(
                Config.parse(config),
                piece,
                TrialOutcome.COMPLETED,
                new SweepRow.Time(ns, ns - 1.5, ns + 2, 1905.0, ratio),
                168);
    }

    private static StoredSweep sweep(String piece, SweepRow... rows) {
        return new StoredSweep("sm90-gemm", SHAPE, DataType.BF16, List.of(piece), List.of(rows));
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        StoredSweep sweep = sweep(
                "a card, commit 1",
                row("tileM=128 scheduler=static waitDepth=1", 1, 12284.2, 1.25),
                row("tileM=64 scheduler=single waitDepth=1 l2Hint=first", 1, 20417.9, null),
                new SweepRow(
                        Config.parse("tileM=256 scheduler=single waitDepth=1"), 1, TrialOutcome.SPILL, null, null));
        Path file = SweepFile.of(folder, SHAPE, DataType.BF16);
        SweepFile.write(sweep, file);
        assertThat(file).hasFileName("512x8192x1024.csv");
        assertThat(Files.readString(file)).contains("# fixed waitDepth=1\n");
        assertThat(SweepFile.read(file)).isEqualTo(sweep);
        assertThat(SweepFile.readAll(folder)).containsExactly(sweep);
    }

    @Test
    void aSweepIsKeptAsColumnsWhereItIsInColumns() throws IOException {
        StoredSweep sweep = sweep("a card, commit 1", row("tileM=128 registers=232", 1, 12284.2, 1.25));
        Path columns = folder.resolve("512x8192x1024.columns");
        SweepFile.write(sweep, columns);
        SweepFile.write(sweep, folder.resolve("512x8192x1024.csv"));
        assertThat(SweepFile.of(folder, SHAPE, DataType.BF16)).isEqualTo(columns);
        assertThat(SweepFile.read(columns)).isEqualTo(sweep);
        assertThat(SweepFile.readAll(folder)).containsExactly(sweep);
    }

    @Test
    void aFurtherPieceAddsWhatIsNewAndWhatHadNoTime() {
        StoredSweep first = sweep(
                "monday",
                row("tileM=128", 1, 100, null),
                new SweepRow(Config.parse("tileM=64"), 1, TrialOutcome.TIMEOUT, null, null));
        StoredSweep second = sweep(
                "tuesday", row("tileM=128", 1, 90, null), row("tileM=64", 1, 300, null), row("tileM=256", 1, 80, null));
        StoredSweep both = first.with(second);
        assertThat(both.pieces()).containsExactly("monday", "tuesday");
        assertThat(both.rows())
                .containsExactly(
                        row("tileM=128", 1, 100, null), row("tileM=64", 2, 300, null), row("tileM=256", 2, 80, null));
        assertThat(both.with(second)).isEqualTo(both);
        assertThatThrownBy(() -> first.with(
                        new StoredSweep("sm90-gemm", new ProblemShape(1, 2, 3), DataType.BF16, List.of(), List.of())))
                .hasMessage("a sweep of sm90-gemm 512x8192x1024 bf16 takes nothing of sm90-gemm 1x2x3 bf16");
    }

    @Test
    void rowsCompareByTheirAnchorWhereAllHaveOne() {
        StoredSweep anchored = sweep("a", row("tileM=128", 1, 100, 2.0), row("tileM=64", 1, 90, 0.5));
        assertThat(anchored.timed().stream().map(StoredSweep.Timed::ns)).containsExactly(100.0, 400.0);
        StoredSweep mixed = sweep("a", row("tileM=128", 1, 100, 2.0), row("tileM=64", 1, 90, null));
        assertThat(mixed.timed().stream().map(StoredSweep.Timed::ns)).containsExactly(100.0, 90.0);
    }

    @Test
    void whatIsWrongIsNamedWithItsLine() throws IOException {
        refuses("nothing\n", ", line 1: the first line must be '# tilewright sweep 1', got 'nothing'");
        String header = "# tilewright sweep 1\n# family sm90-gemm\n# problem 512x8192x1024 bf16\n# piece a\n";
        refuses(header + "# colour red\n", ", line 5: unknown header '# colour red'");
        String columns = "tileM,piece,outcome,ns,low,high,mhz,ratio,registers\n";
        refuses(header + "tileM,ns\n", ", line 5: the last columns must be");
        refuses(header + columns + "128,1,completed\n", ", line 6: a row has 9 cells, got 3: '128,1,completed'");
        refuses(header + columns + "128,1,perfect,1,,,,,\n", ", line 6: unknown outcome 'perfect'");
        refuses(header + columns + "128,2,completed,1,,,,,\n", "a row is of piece 2, and the sweep has 1 pieces");
    }

    private void refuses(String text, String message) throws IOException {
        Path file = folder.resolve("wrong.csv");
        Files.writeString(file, text);
        assertThatThrownBy(() -> SweepFile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    @Tag("full")
    void theStoredSweepsAreInOrder() throws IOException {
        List<StoredSweep> sweeps = SweepFile.readAll(Path.of("../../docs/results/h200/sweeps"));
        assertThat(sweeps).hasSizeGreaterThanOrEqualTo(12).allSatisfy(sweep -> {
            assertThat(sweep.timed()).hasSizeGreaterThanOrEqualTo(100);
            assertThat(sweep.rows().stream().map(SweepRow::config)).doesNotHaveDuplicates();
        });
    }
}
