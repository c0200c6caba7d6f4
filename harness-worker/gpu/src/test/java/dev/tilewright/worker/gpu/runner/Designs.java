package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.space.Config;
import java.util.stream.Stream;

/** The rarer designs of {@code sm90-gemm}, for 132 SMs. */
final class Designs {

    private static final String BASE = "clusterM=1 clusterN=1 consumers=2 ctasPerSm=1 epilogueN=64 epilogueStages=2"
            + " gridSize=0 l2Hint=none loadStages=4 mode=cooperative multicast=none rasterGroup=8 rasterOrder=groupedM"
            + " registers=232 scheduler=static swizzle=128 tileK=64 tileLocation=raster tileM=128 tileN=128"
            + " waitDepth=1 splitK=1 l2Promotion=128 swapAB=0 loadStart=free clusterOrder=launch ";

    private Designs() {}

    static Stream<Config> all() {
        return Stream.of(
                        "clusterM=2 clusterN=2 multicast=both",
                        "clusterM=2 clusterN=2 multicast=a tileN=176",
                        "clusterM=4 clusterN=2 multicast=both scheduler=single",
                        "clusterM=2 clusterN=4 multicast=both scheduler=atomic mode=pingpong tileM=64",
                        "tileM=192 tileN=208 epilogueN=32",
                        "tileM=192 tileN=208 epilogueN=32 clusterM=2 multicast=both scheduler=single",
                        "tileM=64 tileN=272 scheduler=atomic clusterN=2 multicast=both",
                        "clusterM=2 clusterN=2 multicast=b scheduler=atomic mode=pingpong tileM=64",
                        "consumers=1 registers=0",
                        "l2Promotion=256",
                        "consumers=1 ctasPerSm=2 loadStages=3",
                        "consumers=1 ctasPerSm=2 tileN=200 loadStages=2 scheduler=atomic clusterM=2 multicast=both",
                        "ctasPerSm=2 registers=0 tileN=80 loadStages=3 scheduler=single",
                        "waitDepth=0 loadStages=3",
                        "waitDepth=0 loadStages=2 mode=pingpong tileM=64 scheduler=atomic",
                        "gridSize=128",
                        "loadStart=tick",
                        "loadStart=tick tileN=256 clusterM=2 multicast=both scheduler=atomic",
                        "clusterOrder=gpc clusterM=2 multicast=both",
                        "clusterOrder=gpc loadStart=tick tileN=240 clusterM=2 multicast=both rasterOrder=groupedN",
                        "clusterOrder=gpc scheduler=atomic mode=pingpong tileM=64 clusterN=2 multicast=both",
                        "swapAB=1 tileM=176 clusterN=2 multicast=both",
                        "swapAB=1 tileM=152 tileN=256 loadStages=3 scheduler=single")
                .map(design -> Config.parse(BASE).with(design));
    }
}
