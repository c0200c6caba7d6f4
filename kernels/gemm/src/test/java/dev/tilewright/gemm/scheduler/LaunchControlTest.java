package dev.tilewright.gemm.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.TileGrid;
import dev.tilewright.space.raster.Raster;
import dev.tilewright.space.raster.RasterOrder;
import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draws;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Who gets which tile by cluster launch control, by the counting of {@link RingTileScheduler} alone: a grid with a
 * cluster for each cluster tile, answers that come late and may fail for no reason, clusters that are launched later.
 * That the kernel counts like this is shown on the emulator.
 */
class LaunchControlTest {

    /** A cluster that runs: how far its scheduler is, and what it has asked. */
    private static final class Running {
        private final Deque<Integer> answers = new ArrayDeque<>();
        private int outstanding;
        private boolean failed;
        private int tile;

        Running(int tile) {
            this.tile = tile;
        }
    }

    private static final int NONE = -1;

    /** The hardware: clusters that wait, of which it cancels the first, unless it fails for no reason. */
    private static final class Grid {
        private final Deque<Integer> waiting = new ArrayDeque<>();
        private final SplittableRandom random;
        private final int failuresOfHundred;

        Grid(int clusters, SplittableRandom random, int failuresOfHundred) {
            for (int cluster = 0; cluster < clusters; cluster++) {
                waiting.add(cluster);
            }
            this.random = random;
            this.failuresOfHundred = failuresOfHundred;
        }

        int answer() {
            return waiting.isEmpty() || random.nextInt(100) < failuresOfHundred ? NONE : waiting.removeFirst();
        }
    }

    @Draws
    void everyTileOnceInEveryRasterOrder(
            @Between(min = 1, max = 60) int tilesM,
            @Between(min = 1, max = 40) int tilesN,
            @Between(min = 1, max = 4) int clusterM,
            @Between(min = 1, max = 2) int clusterN,
            @Between(min = 1, max = 20) int resident,
            @Between(min = 1, max = 4) int prefetch,
            @Between(min = 0, max = 30) int failuresOfHundred,
            RasterOrder order,
            @Between(min = 1, max = 16) int group,
            long seed) {
        TileGrid tiles = new TileGrid(tilesM, tilesN, clusterM, clusterN);
        Raster raster = order.raster(tiles.clusterTilesM(), tiles.clusterTilesN(), group);
        SplittableRandom random = new SplittableRandom(seed);
        Grid grid = new Grid(tiles.clusterTiles(), random, failuresOfHundred);
        BitSet taken = new BitSet();
        List<Running> running = new ArrayList<>();
        while (!grid.waiting.isEmpty() || !running.isEmpty()) {
            boolean launch = running.size() < resident && !grid.waiting.isEmpty();
            if (running.isEmpty() || launch && random.nextBoolean()) {
                Running fresh = new Running(grid.waiting.removeFirst());
                for (int query = 1; query < prefetch; query++) {
                    ask(fresh, grid);
                }
                running.add(fresh);
                continue;
            }
            Running cluster = running.get(random.nextInt(running.size()));
            visit(tiles, raster, cluster.tile, taken);
            if (!next(cluster, grid)) {
                assertThat(cluster.answers)
                        .as("answers on their way to a cluster that leaves")
                        .isEmpty();
                running.remove(cluster);
            }
        }
        assertThat(taken.cardinality()).isEqualTo(tiles.allTiles());
    }

    private static void ask(Running cluster, Grid grid) {
        cluster.answers.add(grid.answer());
        cluster.outstanding++;
    }

    /** A tile begins with a query and ends with the answers up to the next tile; false if there is none. */
    private static boolean next(Running cluster, Grid grid) {
        if (!cluster.failed) {
            ask(cluster, grid);
        }
        while (cluster.outstanding > 0) {
            int answer = cluster.answers.removeFirst();
            cluster.outstanding--;
            if (answer != NONE) {
                cluster.tile = answer;
                return true;
            }
            cluster.failed = true;
        }
        return false;
    }

    /** Every CTA of the cluster takes its tile, be it padding. */
    private static void visit(TileGrid tiles, Raster raster, int clusterTile, BitSet taken) {
        Raster.Place place = raster.place(clusterTile);
        int columns = tiles.clusterTilesN() * tiles.clusterN();
        for (int m = 0; m < tiles.clusterM(); m++) {
            for (int n = 0; n < tiles.clusterN(); n++) {
                int row = place.m() * tiles.clusterM() + m;
                int column = place.n() * tiles.clusterN() + n;
                int index = row * columns + column;
                assertThat(taken.get(index)).as("tile " + row + ", " + column).isFalse();
                taken.set(index);
            }
        }
    }
}
