package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.Configs;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.TileGrid;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.machine.Machine;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.device.DeviceLimits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole traced kernel, as built, on a CPU that knows barriers but no matrices: every scheduler, mode, cluster and
 * raster order over shapes with tails, one tile, fewer tiles than SMs and many more. Whatever the order in which
 * threads run, the kernel ends, each tile is taken once, each element of D is stored once, and the counter is zero
 * again.
 */
class ProtocolTest {

    private static final DeviceLimits SMALL = DeviceLimits.of(6);
    private static final List<String> SHAPES =
            List.of("1x8x8", "200x72x392", "300x520x200", "1100x264x64", "130x1000x136");

    static Stream<Config> configs() {
        List<String> works = List.of(
                "mode=cooperative tileM=128",
                "mode=cooperative consumers=1 tileM=64 epilogueN=32",
                "mode=pingpong tileM=64 loadStages=3");
        List<String> clusters = List.of(
                "clusterM=1 clusterN=1",
                "clusterM=2 clusterN=1 multicast=both",
                "clusterM=1 clusterN=2 multicast=both",
                "clusterM=2 clusterN=1 multicast=none",
                "clusterM=2 clusterN=2 multicast=b");
        List<String> rasters = List.of("alongM", "alongN", "groupedM", "groupedN");
        List<Config> all = new ArrayList<>();
        for (String scheduler : List.of("single", "static", "atomic")) {
            for (String work : works) {
                for (int cluster = 0; cluster < clusters.size(); cluster++) {
                    if (scheduler.equals("single") && work.contains("pingpong")) {
                        continue;
                    }
                    String raster = rasters.get((all.size() + cluster) % rasters.size());
                    String group = raster.startsWith("grouped") ? "2" : "4";
                    String tileN = cluster % 2 == 0 ? "64" : "176";
                    all.add(Configs.with(
                            work,
                            clusters.get(cluster),
                            "scheduler=" + scheduler + " tileN=" + tileN + " rasterOrder=" + raster + " rasterGroup="
                                    + group));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("configs")
    void everyTileOnce(Config config) {
        GemmKernel kernel = new Sm90Gemm().build(config, true);
        for (String text : SHAPES) {
            ProblemShape shape = ProblemShape.parse(text);
            Problem problem = Problem.of(shape, DataType.BF16);
            KernelLaunch launch = kernel.launch(problem, SMALL, config);
            Map<Long, Integer> memory = new HashMap<>();
            // Twice on the same counter, in another order.
            for (int seed = 1; seed <= 2; seed++) {
                memory.keySet().removeIf(address -> address >= Machine.address(BufferRole.TRACE));
                Machine.Outcome outcome = Machine.run(kernel, launch, memory, seed);
                assertTilesOnce(config, shape, outcome, launch.gridX());
                assertElementsOnce(shape, outcome.stores());
                assertThat(memory.getOrDefault(Machine.address(BufferRole.COUNTER), 0))
                        .as("counter")
                        .isZero();
            }
        }
    }

    private static void assertTilesOnce(Config config, ProblemShape shape, Machine.Outcome outcome, int ctas) {
        TraceLayout layout = new TraceLayout(TileGrid.of(shape, config));
        ByteBuffer bytes = ByteBuffer.allocate((int) layout.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        long start = Machine.address(BufferRole.TRACE);
        for (int at = 0; at < bytes.capacity(); at += 4) {
            bytes.putInt(at, outcome.global().getOrDefault(start + at, 0));
        }
        List<TileRecord> records = layout.decode(bytes);
        TileGrid grid = TileGrid.of(shape, config);
        assertThat(records.stream()
                        .map(tile -> List.of(tile.tileM(), tile.tileN()))
                        .collect(Collectors.toSet()))
                .hasSize(grid.allTiles());
        assertThat(records.stream().filter(tile -> !tile.padding())).hasSize(grid.tilesM() * grid.tilesN());
        // A cluster's CTAs lie side by side, in the place that their rank says.
        assertThat(records).allSatisfy(tile -> {
            int rank = tile.cta() % grid.clusterSize();
            assertThat(tile.tileM() % grid.clusterM()).isEqualTo(rank % grid.clusterM());
            assertThat(tile.tileN() % grid.clusterN()).isEqualTo(rank / grid.clusterM());
            assertThat(tile.cta()).isBetween(0, ctas - 1);
        });
        // Every cluster of the grid has its first tile without asking.
        assertThat(records.stream().map(TileRecord::cta).collect(Collectors.toSet()))
                .hasSize(ctas);
    }

    private static void assertElementsOnce(ProblemShape shape, List<Machine.TileStore> stores) {
        byte[][] stored = new byte[shape.m()][shape.n()];
        for (Machine.TileStore store : stores) {
            int bottom = Math.min(shape.m(), store.row() + store.map().box().get(1));
            int right = Math.min(shape.n(), store.column() + store.map().box().get(0));
            for (int row = store.row(); row < bottom; row++) {
                for (int column = store.column(); column < right; column++) {
                    stored[row][column]++;
                }
            }
        }
        for (int row = 0; row < shape.m(); row++) {
            for (int column = 0; column < shape.n(); column++) {
                if (stored[row][column] != 1) {
                    throw new AssertionError("element " + row + ", " + column + " of " + shape + " was stored "
                            + stored[row][column] + " times");
                }
            }
        }
    }
}
