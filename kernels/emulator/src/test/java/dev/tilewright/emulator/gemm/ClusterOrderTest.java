package dev.tilewright.emulator.gemm;

import static dev.tilewright.emulator.gemm.GemmRuns.completed;
import static dev.tilewright.emulator.gemm.GemmRuns.emulator;
import static dev.tilewright.emulator.gemm.GemmRuns.withinBound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.Options;
import dev.tilewright.emulator.Verdict;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.gemm.space.ClusterDeal;
import dev.tilewright.gemm.space.DeviceLimits;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clusters take the tiles that their places name, and not those of their ids. */
class ClusterOrderTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduler=static | 712 | 520 | 136",
                "scheduler=static mode=pingpong tileM=64 tileN=72 | 712 | 392 | 136",
                "scheduler=static splitK=2 | 712 | 264 | 264",
                "scheduler=atomic consumers=1 registers=0 tileM=64 | 328 | 520 | 136",
                "scheduler=single consumers=1 registers=0 tileM=64 tileN=72 | 328 | 200 | 136",
            })
    void firstTilesAreThoseOfThePlaces(String parameters, int m, int n, int k) {
        GemmCase gemm = new GemmCase(parameters + " clusterOrder=gpc", m, n, k, GemmCase.Data.NORMAL, true);
        Verdict.Completed run = completed(gemm, emulator(gemm), Options.seed(1).withSms(gemm.sms()));
        withinBound(gemm, run);
        int clusters = gemm.kernelLaunch().clusters();
        ClusterDeal deal = DeviceLimits.of(gemm.sms()).deal(1).within(clusters);
        List<Integer> places =
                IntStream.range(0, clusters).map(deal::place).boxed().toList();
        assertThat(places).isNotEqualTo(places.stream().sorted().toList());
        int clusterSize = gemm.kernelLaunch().clusterSize();
        List<TileRecord> records = gemm.trace().decode(ByteBuffer.wrap(run.buffer("TRACE")));
        for (int cluster = 0; cluster < places.size(); cluster++) {
            TileRecord first = records.get(places.get(cluster) * clusterSize);
            assertThat(first.cta() / clusterSize)
                    .as("cluster of tile " + places.get(cluster))
                    .isEqualTo(cluster);
        }
    }
}
