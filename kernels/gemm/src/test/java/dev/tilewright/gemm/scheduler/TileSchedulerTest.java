package dev.tilewright.gemm.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draws;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Who gets which tile, by the arithmetic of the schedulers alone and on grids larger than the whole kernel is run on;
 * that the kernel does this arithmetic is shown by {@link dev.tilewright.gemm.sm90.ProtocolTest}.
 */
class TileSchedulerTest {

    @Draws
    void staticGivesEveryTileOnce(@Between(min = 1, max = 5000) int tiles, @Between(min = 1, max = 132) int atMost) {
        int clusters = Math.min(atMost, tiles);
        int[] taken = new int[tiles];
        for (int cluster = 0; cluster < clusters; cluster++) {
            for (int tile = cluster; tile < tiles; tile += clusters) {
                taken[tile]++;
            }
        }
        assertThat(taken).containsOnly(1);
    }

    /**
     * In pingpong the warpgroup of turn 0 or 1 starts at cluster + turn * clusters and goes on by twice the clusters.
     */
    @Draws
    void staticInTurnsGivesEveryTileOnce(
            @Between(min = 1, max = 5000) int tiles, @Between(min = 1, max = 132) int atMost) {
        int clusters = Math.min(atMost, tiles);
        int[] taken = new int[tiles];
        for (int cluster = 0; cluster < clusters; cluster++) {
            for (int turn = 0; turn < 2; turn++) {
                for (int tile = turn * clusters + cluster; tile < tiles; tile += 2 * clusters) {
                    taken[tile]++;
                }
            }
        }
        assertThat(taken).containsOnly(1);
    }

    /**
     * Three launches in a row on one counter, in an order that the seed decides: T draws each, and the counter is zero
     * again.
     */
    @Draws
    void atomicDrawsAsOftenAsThereAreTilesAndWrapsAround(
            @Between(min = 1, max = 3000) int tiles, @Between(min = 1, max = 132) int atMost, long seed) {
        int clusters = Math.min(atMost, tiles);
        SplittableRandom random = new SplittableRandom(seed);
        int counter = 0;
        for (int launch = 0; launch < 3; launch++) {
            int[] taken = new int[tiles];
            int draws = 0;
            IntStream.range(0, clusters).forEach(cluster -> taken[cluster]++);
            List<Integer> busy =
                    new ArrayList<>(IntStream.range(0, clusters).boxed().toList());
            while (!busy.isEmpty()) {
                int index = random.nextInt(busy.size());
                int drawn = counter;
                counter = counter >= tiles - 1 ? 0 : counter + 1;
                draws++;
                if (clusters + drawn < tiles) {
                    taken[clusters + drawn]++;
                } else {
                    busy.remove(index);
                }
            }
            assertThat(taken).containsOnly(1);
            assertThat(draws).isEqualTo(tiles);
            assertThat(counter).isZero();
        }
    }

    @Test
    void singleRefusesTurns() {
        assertThatThrownBy(() -> PtxModule.build(
                        Target.SM_90A,
                        m -> m.entry("none", e -> {
                            Param tiles = e.u32("tiles");
                            e.launchBounds(128, 1);
                            e.code(b -> {
                                ClusterNumber id = new ClusterNumber(new ClusterPlace(1, 1), Optional.empty());
                                new SingleTileScheduler(id, tiles)
                                        .initialize(b, TileReader.alternatingWarps(b.mov(Immediate.b32(1))));
                            });
                        })))
                .hasMessage("a CTA has one tile: its warpgroups cannot alternate");
    }
}
