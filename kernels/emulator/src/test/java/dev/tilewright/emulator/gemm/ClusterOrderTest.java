package dev.tilewright.emulator.gemm;

import static dev.tilewright.emulator.gemm.GemmRuns.completed;
import static dev.tilewright.emulator.gemm.GemmRuns.emulator;
import static dev.tilewright.emulator.gemm.GemmRuns.withinBound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.Options;
import dev.tilewright.emulator.Verdict;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import java.nio.ByteBuffer;
import java.util.List;
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
        List<Integer> places = places(gemm);
        assertThat(places.stream().sorted()).isNotEqualTo(places);
        int clusterSize = gemm.kernelLaunch().clusterSize();
        List<TileRecord> records = gemm.trace().decode(ByteBuffer.wrap(run.buffer("TRACE")));
        for (int cluster = 0; cluster < places.size(); cluster++) {
            TileRecord first = records.get(places.get(cluster) * clusterSize);
            assertThat(first.cta() / clusterSize)
                    .as("cluster of tile " + places.get(cluster))
                    .isEqualTo(cluster);
        }
    }

    private static List<Integer> places(GemmCase gemm) {
        return gemm.kernelLaunch().filled().stream()
                .filter(filled -> filled.role() == BufferRole.PLACES)
                .map(filled -> ((FilledBuffer.Words) filled).words())
                .findFirst()
                .orElseThrow();
    }
}
