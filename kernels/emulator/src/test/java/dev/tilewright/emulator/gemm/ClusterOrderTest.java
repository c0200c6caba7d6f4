package dev.tilewright.emulator.gemm;

import static dev.tilewright.emulator.gemm.GemmRuns.completed;
import static dev.tilewright.emulator.gemm.GemmRuns.emulator;
import static dev.tilewright.emulator.gemm.GemmRuns.withinBound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.space.device.ClusterDeal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clusters take the tiles of their numbers in GPC order, and not those of their ids. */
class ClusterOrderTest {
    private static final int SEEDS = 3;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduler=static clusterM=2 multicast=both tileN=64 | 1288 | 392 | 136",
                "scheduler=static clusterN=2 mode=pingpong tileM=64 tileN=72 | 712 | 712 | 72",
                "scheduler=static clusterM=2 splitK=2 tileN=64 | 712 | 328 | 264",
                "scheduler=atomic clusterM=2 consumers=1 registers=0 tileM=64 tileN=64 | 712 | 392 | 72",
                "scheduler=single clusterN=2 consumers=1 registers=0 tileM=64 tileN=72 | 328 | 520 | 136",
                "scheduler=static clusterM=2 consumers=1 registers=0 tileM=64 tileN=64 | 328 | 136 | 136",
            })
    void firstTilesFollowTheCoordinates(String parameters, int m, int n, int k) {
        GemmCase gemm = new GemmCase(parameters + " clusterOrder=gpc", m, n, k, GemmCase.Data.NORMAL, true);
        RunEnd.Completed run = completed(gemm, emulator(gemm), Options.seed(1).withSms(gemm.sms()));
        withinBound(gemm, run);
        int clusters = gemm.kernelLaunch().clusters();
        ClusterDeal deal = gemm.limits().deal(gemm.kernelLaunch().clusterSize()).within(clusters);
        List<Integer> numbers =
                IntStream.range(0, clusters).map(deal::inGpcOrder).boxed().toList();
        assertThat(numbers).isNotEqualTo(numbers.stream().sorted().toList());
        int clusterSize = gemm.kernelLaunch().clusterSize();
        List<TileRecord> records = gemm.trace().decode(ByteBuffer.wrap(run.buffer("TRACE")));
        for (int cluster = 0; cluster < numbers.size(); cluster++) {
            TileRecord first = records.get(numbers.get(cluster) * clusterSize);
            assertThat(first.cta() / clusterSize)
                    .as("cluster of tile " + numbers.get(cluster))
                    .isEqualTo(cluster);
        }
    }
}
