package dev.tilewright.emulator.gemm;

import static dev.tilewright.emulator.gemm.GemmRuns.completed;
import static dev.tilewright.emulator.gemm.GemmRuns.emulator;
import static dev.tilewright.emulator.gemm.GemmRuns.exact;
import static dev.tilewright.emulator.gemm.GemmRuns.roughEverySecond;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.figures.Figures;
import dev.tilewright.emulator.figures.Provenance;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.gemm.TraceEvidence;
import dev.tilewright.model.trial.SchedulerEvidence;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The corners of sm100-gemm on several shapes, and one kernel of each scheduler and group under many seeds, with late
 * launches, a busy SM, preemption and failures for no reason in every second run. Every run is exact and takes each
 * tile once. Writes {@code docs/results/emulator/sm100.*}.
 */
@Tag("full")
class Sm100ProofTest {

    private static final List<String> SCHEDULERS = List.of("single", "static", "atomic", "clc");
    private static final List<String> GROUPS = List.of("ctaGroup=1", "ctaGroup=2 tileM=256 clusterM=2");
    private static final List<String> RINGS =
            List.of("clcStages=1", "clcStages=4", "clcStages=4 clcPrefetch=4 clcThrottle=mainloop");
    /** m, n, k: many tiles, tails in each dimension; few rows; few columns; fewer tiles than SMs; one tile. */
    private static final List<int[]> SHAPES = List.of(
            new int[] {456, 520, 72},
            new int[] {264, 712, 200},
            new int[] {1160, 136, 136},
            new int[] {328, 72, 392},
            new int[] {200, 56, 136});

    private static final int SEEDS = 50;
    private static final int SMS = 4;

    /** What a set of runs showed. */
    private record Row(
            String scheduler, String group, int kernels, int runs, long tiles, long steals, long failedQueries) {}

    private record Summary(List<Row> corners, List<Row> seeds) {}

    /** Sums over the runs of one row. */
    private static final class Tally {
        private int kernels;
        private int runs;
        private long tiles;
        private long steals;
        private long failedQueries;

        Row row(String scheduler, String group) {
            return new Row(scheduler, group, kernels, runs, tiles, steals, failedQueries);
        }

        void run(GemmCase gemm, PtxEmulator emulator, long seed, boolean asks) {
            RunEnd.Completed completed = completed(gemm, emulator, roughEverySecond(seed));
            exact(gemm, completed, seed);
            // Refuses a tile that was not taken exactly once.
            List<TileRecord> records = gemm.trace().decode(ByteBuffer.wrap(completed.buffer("TRACE")));
            SchedulerEvidence evidence = TraceEvidence.of(records, SMS, asks, null);
            runs++;
            tiles += records.size();
            steals += evidence.stealsPerCluster().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            int failed = evidence.failedQueries() == null ? 0 : evidence.failedQueries();
            assertThat(failed).as("failed queries").isEqualTo(gemm.failedQueries(completed.statistics()));
            failedQueries += failed;
        }
    }

    @Test
    void cornersAndSeeds() throws Exception {
        List<Row> corners = new ArrayList<>();
        List<Row> seeds = new ArrayList<>();
        for (String scheduler : SCHEDULERS) {
            for (String group : GROUPS) {
                corners.add(corners(scheduler, group));
                seeds.add(seeds(scheduler, group));
            }
        }
        Figures.write(
                "sm100",
                "sm100-gemm on the emulator",
                Provenance.read(InstantSource.system()),
                new Summary(corners, seeds),
                markdown(corners, seeds));
    }

    private static boolean asks(String scheduler) {
        return scheduler.equals("atomic") || scheduler.equals("clc");
    }

    private static Row corners(String scheduler, String group) {
        Tally tally = new Tally();
        for (String ring : asks(scheduler) ? RINGS : List.of("clcStages=1")) {
            for (int loadStages : List.of(2, 8)) {
                for (int accumulatorStages : List.of(1, 2)) {
                    String parameters = "scheduler=" + scheduler + " " + group + " " + ring + " loadStages="
                            + loadStages + " accumulatorStages=" + accumulatorStages;
                    tally.kernels++;
                    for (int[] shape : SHAPES) {
                        GemmCase gemm = gemm(parameters, shape);
                        tally.run(gemm, emulator(gemm), tally.runs, asks(scheduler));
                    }
                }
            }
        }
        return tally.row(scheduler, group);
    }

    private static Row seeds(String scheduler, String group) {
        Tally tally = new Tally();
        String ring = asks(scheduler) ? "clcStages=3 clcPrefetch=2 clcThrottle=load" : "clcStages=1";
        GemmCase gemm = gemm(
                "scheduler=" + scheduler + " " + group + " " + ring + " loadStages=3 accumulatorStages=2",
                SHAPES.getFirst());
        PtxEmulator emulator = emulator(gemm);
        tally.kernels++;
        for (int seed = 0; seed < SEEDS; seed++) {
            tally.run(gemm, emulator, seed, asks(scheduler));
        }
        return tally.row(scheduler, group);
    }

    private static GemmCase gemm(String parameters, int[] shape) {
        return GemmCase.sm100(parameters, shape[0], shape[1], shape[2], Data.INTEGERS, true);
    }

    private static List<String> markdown(List<Row> corners, List<Row> seeds) {
        List<String> lines = new ArrayList<>();
        lines.add("All runs end, are exact and take each CTA tile once, padding included. Every second run has late"
                + " launches, an SM that is busy at first, preemption and failed answers for no reason.");
        lines.addAll(List.of("", "## Corners: load stages 2 and 8, accumulators 1 and 2, rings; five shapes", ""));
        table(lines, corners);
        lines.addAll(List.of("", "## One kernel each under " + SEEDS + " seeds", ""));
        table(lines, seeds);
        return lines;
    }

    private static void table(List<String> lines, List<Row> rows) {
        lines.addAll(Figures.head("scheduler", "group", "kernels", "runs", "tiles", "steals", "failed queries"));
        rows.forEach(row -> lines.add(Figures.row(
                row.scheduler(),
                row.group(),
                row.kernels(),
                row.runs(),
                row.tiles(),
                row.steals(),
                row.failedQueries())));
    }
}
