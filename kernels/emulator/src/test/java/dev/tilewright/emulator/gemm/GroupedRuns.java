package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.RunEnd;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.gemm.TileTable;
import dev.tilewright.model.problem.ProblemShape;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** What the tests of several GEMMs ask of a run besides, of whatever family. */
final class GroupedRuns {

    private GroupedRuns() {}

    /** Shapes, separated by blanks. */
    static List<ProblemShape> groups(String shapes) {
        return Arrays.stream(shapes.split(" ")).map(ProblemShape::parse).toList();
    }

    /** Every element is right, and in a traced twin every row of the table was taken once. */
    static void exact(GemmCase gemm, RunEnd.Completed run, long seed) {
        GemmRuns.exact(gemm, run, seed);
        if (gemm.kernel().traced()) {
            everyRowOnce(gemm, run);
        }
    }

    /** The trace refuses rows that were not taken exactly once; each was computed where the table says. */
    private static void everyRowOnce(GemmCase gemm, RunEnd.Completed run) {
        TileTable table = (TileTable) gemm.trace().tiles();
        List<TileRecord> records = gemm.trace().decode(ByteBuffer.wrap(run.buffer("TRACE")));
        assertThat(records).hasSize(table.allTiles());
        int clusterM = gemm.config().whole("clusterM");
        for (int at = 0; at < records.size(); at++) {
            TileTable.Row row = table.rows().get(at / table.clusterSize());
            int rank = at % table.clusterSize();
            assertThat(records.get(at).tileM()).as(row.toString()).isEqualTo(row.tileM() + rank % clusterM);
            assertThat(records.get(at).tileN()).as(row.toString()).isEqualTo(row.tileN() + rank / clusterM);
        }
    }
}
