package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.gemm.TileTable;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.gemm.sm90.Sm90Gemm;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.proof.export.DescribedLaunch;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.FakeOracle;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.peer.Peers;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest.Entrant;
import dev.tilewright.worker.link.runner.RunnerRequest.RunFinal;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Trials of several GEMMs, launched as {@code sm90-gemm} launches them: the fake kernels find their tiles in the table
 * and their operands through the maps in memory, and know nothing else.
 */
class GroupedTrialTest {

    private static final int MAP = FilledBuffer.Maps.MAP_BYTES;
    private static final int TILE = 64;

    private static final Config CONFIG =
            Config.parse("clcThrottle=none clusterM=1 clusterN=1 consumers=1 epilogueN=64 gridSize=0 loadStages=4"
                    + " mode=cooperative multicast=none rasterGroup=4 rasterOrder=alongM registers=0 scheduler=static"
                    + " swizzle=128 tileK=64 tileLocation=table tileM=64 tileN=64 tileOrder=longestFirst waitDepth=1");

    private static final Problem PROBLEM = problem(1, "72x40x8", "24x136x40", "8x24x200");

    /** Addresses of the maps that launches were given. */
    private final Set<Long> maps = new HashSet<>();

    private final Set<Long> tables = new HashSet<>();

    private final FakeGpu gpu = new FakeGpu()
            .with("gemm", 20_000, this::multiply)
            .with("traced", 22_000, (any, p) -> {
                multiply(any, p);
                trace(any, p);
            });
    private final Workbench bench =
            Workbench.open(gpu, GpuState.UNKNOWN, FakeRunner.PLAN, Peers.installed(gpu, Map.of()));

    private static Problem problem(int batch, String... shapes) {
        return new Problem(
                Arrays.stream(shapes).map(ProblemShape::parse).toList(),
                batch,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }

    private static Kernel.Assembled kernel(String entry, Problem problem, boolean traced) {
        KernelLaunch launch = new Sm90Gemm().build(CONFIG, traced).launch(problem, DeviceLimits.of(4), CONFIG);
        KernelLaunch renamed = new KernelLaunch(
                entry,
                launch.gridX(),
                launch.threads(),
                launch.clusterSize(),
                launch.dynamicSharedBytes(),
                launch.arguments(),
                launch.buffers(),
                launch.filled());
        return new Kernel.Assembled(
                new Cubin(entry.getBytes(StandardCharsets.US_ASCII)), DescribedLaunch.of(problem, renamed), 32);
    }

    private TrialResult run(String entry, Problem problem) {
        return new TrialRunner(bench, new Phases(() -> 0, name -> {}))
                .run(new RunTrial(
                        problem,
                        CONFIG,
                        kernel(entry, problem, false),
                        kernel("traced", problem, true),
                        3,
                        List.of(Mode.SUSTAINED)))
                .answer();
    }

    /** Parameters: maps, tiles, number of tiles. */
    private void multiply(FakeGpu any, List<Long> p) {
        maps.add(p.get(0));
        tables.add(p.get(1));
        for (int row = 0; row < p.get(2); row++) {
            tile(any, p.get(0), any.at(p.get(1) + (long) row * TileTable.ROW_BYTES), 0);
        }
    }

    /** A map of the fake GPU is an address and then its extents, innermost first. */
    private static void tile(FakeGpu any, long maps, ByteBuffer row, int columnsLess) {
        long first = maps + 3L * MAP * row.getInt(0);
        ByteBuffer a = any.at(first);
        ByteBuffer b = any.at(first + MAP);
        ByteBuffer d = any.at(first + 2 * MAP);
        int k = (int) a.getLong(8);
        int n = (int) d.getLong(8) - columnsLess;
        int m = (int) d.getLong(16);
        for (int i = row.getInt(4) * TILE; i < Math.min(m, (row.getInt(4) + 1) * TILE); i++) {
            for (int j = row.getInt(8) * TILE; j < Math.min(n, (row.getInt(8) + 1) * TILE); j++) {
                float sum = FakeOracle.dot(any, a.getLong(0), b.getLong(0), k, i, j)[0];
                any.at(d.getLong(0) + 2L * (i * (int) d.getLong(8) + j)).putShort(0, Bf16.ofFloat(sum));
            }
        }
    }

    private static void trace(FakeGpu any, List<Long> p) {
        ByteBuffer trace = any.at(p.get(3));
        for (int tile = 0; tile < p.get(2); tile++) {
            ByteBuffer row = any.at(p.get(1) + (long) tile * TileTable.ROW_BYTES);
            int at = tile * TraceLayout.RECORD_BYTES;
            trace.putInt(at + TraceLayout.VISITS, trace.getInt(at + TraceLayout.VISITS) + 1);
            trace.putInt(at + TraceLayout.SM_ID, tile % 4);
            trace.putInt(at + TraceLayout.CTA, tile % 4);
            trace.putInt(at + TraceLayout.TILE_M, row.getInt(4));
            trace.putInt(at + TraceLayout.TILE_N, row.getInt(8));
            trace.putLong(at + TraceLayout.START_NS, 1000 + 100L * (tile / 4));
            trace.putLong(at + TraceLayout.END_NS, 1100 + 100L * (tile / 4));
        }
    }

    @Test
    void severalGemmsAreVerifiedTimedVerifiedAgainAndTraced() {
        TrialResult done = run("gemm", PROBLEM);

        assertThat(done.log()).isEmpty();
        assertThat(done.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.errorRatio()).isBetween(0.01, 1.0);
        assertThat(done.executed().gridX()).isEqualTo(4);
        assertThat(done.measurements().getFirst().medianNs()).isEqualTo(20_000, within(1e-6));
        // 2 + 3 + 1 tiles on 4 SMs.
        assertThat(done.evidence().tilesPerSm()).containsExactly(2, 2, 1, 1);
    }

    @Test
    void aBatchIsVerifiedToo() {
        assertThat(run("gemm", problem(3, "72x40x8", "8x24x136")).outcome()).isEqualTo(TrialOutcome.COMPLETED);
    }

    @Test
    void everySetHasMapsOfItsOwnAndAllHaveOneTable() {
        run("gemm", PROBLEM);

        int sets = bench.store().get(PROBLEM, 3).sets().size();
        assertThat(sets).isEqualTo(2);
        assertThat(maps).as("those of the kernel, and of its twin").hasSize(2 * sets);
        assertThat(tables).as("likewise").hasSize(2);
    }

    @Test
    void anElementOfTheLastGemmThatIsNotWrittenIsNamed() {
        gpu.with("lazy", 20_000, (any, p) -> {
            for (int row = 0; row < p.get(2); row++) {
                ByteBuffer tile = any.at(p.get(1) + (long) row * TileTable.ROW_BYTES);
                tile(any, p.get(0), tile, tile.getInt(0) == 2 ? 1 : 0);
            }
        });
        TrialResult done = run("lazy", PROBLEM);

        assertThat(done.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(done.log()).contains("8 of ", "8 still poisoned", "the first at row 0, column 23 of GEMM 2");
        assertThat(done.measurements()).isEmpty();
    }

    @Test
    void aTrialLeavesOnlyTheTestData() {
        run("gemm", PROBLEM);
        int kept = gpu.allocations();
        run("gemm", PROBLEM);
        assertThat(gpu.allocations()).isEqualTo(kept);
        assertThat(gpu.history.stream().filter("reference_gemm"::equals))
                .as("one of each GEMM, once for problem and seed")
                .hasSize(3);
    }

    @Test
    void aFinalSaysThatNoPeerComputesSeveralGemms() {
        UUID id = new UUID(0, 1);
        FinalResult done = new FinalRunner(bench, new Phases(() -> 0, name -> {}))
                .run(new RunFinal(
                        PROBLEM,
                        List.of(new Entrant("ours", id, 0, "sm90-gemm", CONFIG, kernel("gemm", PROBLEM, false))),
                        1,
                        null,
                        List.of("cublaslt"),
                        3,
                        List.of(Mode.SUSTAINED)));

        assertThat(done.arms()).hasSize(1);
        assertThat(done.arms().getFirst().outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.ratios()).isEmpty();
        assertThat(done.log()).contains("cublaslt is absent: it has no kernel for 3 groups");
    }
}
