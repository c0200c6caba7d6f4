package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.Configs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exact text of a few kernels, beside this test. */
class GoldenTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "SingleOneConsumer, false, scheduler=single consumers=1 tileM=64 tileN=64 epilogueN=32 loadStages=8",
        "StaticCooperative, false, tileN=64 tileK=32 swizzle=64 loadStages=6",
        "StaticMulticast, false, clusterM=2 multicast=both tileN=176",
        "SharedColumns, false, tileM=64 tileN=144",
        "MulticastOfOne, false, consumers=1 tileM=64 tileN=72 clusterM=2 clusterN=2 multicast=a",
        "TwoCtasOnAnSm, false, ctasPerSm=2 registers=0 tileN=72 loadStages=2",
        "NoWaitDepth, false, waitDepth=0 consumers=1 tileM=64 tileN=64 loadStages=2",
        "StaticPingpong, false, mode=pingpong tileM=64 tileN=64 loadStages=8",
        "AtomicCluster, false, scheduler=atomic clusterN=2 multicast=both tileN=64",
        "HalfOutput, false, tileM=128 tileN=64 typeA=f16 typeB=f16 typeD=f16",
        "FloatOutput, false, consumers=1 tileM=64 tileN=72 typeD=f32 epilogueN=32",
        "SplitPingpongTraced, true, splitK=3 mode=pingpong tileM=64 tileN=64 scheduler=atomic clusterM=2",
        "SwappedCluster, false, swapAB=1 tileM=88 tileN=128 epilogueN=32 clusterN=2 multicast=both scheduler=single",
        "LoadsAtTicks, false, loadStart=tick tileN=64 clusterM=2 multicast=both",
        "ClustersByGpc, false, clusterOrder=gpc tileN=64 clusterM=2 multicast=both",
        "AtomicByGpcTraced, true, clusterOrder=gpc scheduler=atomic mode=pingpong tileM=64 tileN=64",
        "SplitStatic, false, splitK=2 tileN=64 typeD=f32 epilogueN=32",
        "PartsInACluster, false, clusterK=4 swapAB=1 consumers=1 tileM=16 tileN=64 scheduler=single loadStages=8",
        "Transposed, false, consumers=1 tileM=64 tileN=64 majorA=m majorB=n",
        "TransposedNarrowSwizzle, false, tileN=64 tileK=32 swizzle=64 loadStages=6 majorA=m",
        "EightBits, false, consumers=1 tileM=64 tileN=64 tileK=128 typeA=e4m3 typeB=e5m2",
        "GroupedAtomicPingpongTraced, true, tileLocation=table scheduler=atomic mode=pingpong tileM=64 tileN=176",
        "SingleOverlapped, false, scheduler=single consumers=1 tileM=64 tileN=64 launchOverlap=loaded",
        "AtomicOverlapped, false, scheduler=atomic clusterN=2 tileN=64 launchOverlap=prologue",
        "GroupedOverlapped, false, tileLocation=table consumers=1 tileM=64 tileN=64 launchOverlap=prologue",
        "AtomicPingpongTraced, true, scheduler=atomic mode=pingpong tileM=64 tileN=64 clusterM=2 multicast=both",
    })
    void textIsKept(String name, boolean traced, String changes) throws IOException {
        String text = new Sm90Gemm().build(Configs.with(changes), traced).text();
        Path file = Path.of("src/test/java/dev/tilewright/gemm/sm90", name + ".expected.ptx");
        if (Boolean.getBoolean("golden.accept")) {
            Files.writeString(file, text);
        }
        assertThat(text).as(file + " (rewrite with -Dgolden.accept=true)").isEqualTo(Files.readString(file));
    }
}
