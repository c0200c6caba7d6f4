package dev.tilewright.space.sm90;

import static dev.tilewright.space.sm90.OnH200.H200;
import static dev.tilewright.space.sm90.OnH200.problem;
import static dev.tilewright.space.sm90.OnH200.space;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.Violation;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class Sm90GemmSpaceTest {

    private final Sm90GemmSpace family = new Sm90GemmSpace();

    @Test
    void hasTheParametersOfTheDesign() {
        SearchSpace space = space("4096x4096x4096");
        assertThat(space.names(Parameter.Kind.TEXT))
                .containsExactlyInAnyOrder(
                        "scheduler",
                        "mode",
                        "consumers",
                        "tileM",
                        "tileN",
                        "tileK",
                        "loadStages",
                        "clusterM",
                        "clusterN",
                        "multicast",
                        "swizzle",
                        "epilogueN",
                        "epilogueStages",
                        "l2Hint",
                        "registers",
                        "splitK",
                        "swapAB",
                        "loadStart",
                        "clusterOrder",
                        "ctasPerSm",
                        "tileLocation",
                        "waitDepth");
        assertThat(space.names(Parameter.Kind.LAUNCH))
                .containsExactlyInAnyOrder("rasterOrder", "rasterGroup", "l2Promotion", "gridSize");
    }

    @Test
    void sizeOfTheSpace() {
        SearchSpace space = space("4096x4096x4096");
        assertThat(space.points()).isEqualTo(1_338_389_692_416L);
        assertThat(SpaceTree.of(space).size()).isEqualTo(1_825_812_768L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4096x4096x4096",
                "16384x16384x16384",
                "30000x30000x512",
                "9000x1000x1000",
                "680x688x11952",
                "1x8x8"
            })
    void theDefaultSpaceHasAtMostAMillionConfigs(String shape) {
        SpaceTree usual = SpaceTree.of(space(shape).usual(Map.of()));
        assertThat(usual.size()).isBetween(1L, 1_000_000L);
        SplittableRandom random = new SplittableRandom(1);
        SearchSpace whole = space(shape);
        for (int draw = 0; draw < 200; draw++) {
            assertThat(whole.violation(usual.draw(random))).isEmpty();
        }
    }

    /** The configurations that won in the laboratory; without clusters unless they say otherwise. */
    static Stream<String> winners() {
        return Stream.of(
                "tileM=128 tileN=64 loadStages=8",
                "tileM=128 tileN=256 loadStages=4 rasterGroup=4",
                "tileM=256 tileN=128 loadStages=4 clusterN=2 multicast=both",
                "tileM=256 tileN=192 loadStages=3 clusterM=2 multicast=both rasterGroup=4",
                "tileM=128 tileN=256 loadStages=4 clusterM=2 multicast=both",
                "mode=pingpong tileM=128 tileN=176 loadStages=5 rasterGroup=16",
                "mode=pingpong tileM=128 tileN=192 loadStages=4 clusterM=2 multicast=both",
                "mode=pingpong tileM=128 tileN=128 loadStages=6",
                "mode=pingpong tileM=64 tileN=128 loadStages=8 clusterM=2 multicast=both l2Hint=keepA",
                "tileM=256 tileN=200 loadStages=3 registers=240",
                "tileM=192 tileN=208 loadStages=4 epilogueN=32 registers=232",
                "tileM=64 tileN=256 loadStages=4",
                "tileM=256 tileN=208 loadStages=3 registers=240 clusterN=2 multicast=both rasterGroup=16",
                "tileM=256 tileN=152 loadStages=3",
                "mode=pingpong tileM=128 tileN=208 loadStages=4 registers=240 clusterM=2 multicast=both",
                "consumers=3 tileM=192 tileN=200 loadStages=3 registers=160",
                "swapAB=1 tileM=152 tileN=256 loadStages=4 clusterN=2 multicast=both epilogueN=32",
                "swapAB=1 tileM=176 tileN=128 loadStages=5 clusterN=2 multicast=both epilogueN=32",
                "tileM=128 tileN=304 loadStages=3 clusterM=2 multicast=both rasterGroup=16");
    }

    @ParameterizedTest
    @MethodSource("winners")
    void holdsTheWinners(String winner) {
        SearchSpace space = space("8192x8192x8192");
        assertThat(space.violation(Configs.with(winner, "scheduler=static"))).isEmpty();
        assertThat(space.violation(Configs.with(winner, "scheduler=atomic"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mode=pingpong consumers=1 | modeConsumers: pingpong takes 2 consumers in turn, got 1"
                        + " (consumers=1 mode=pingpong)",
                "consumers=3 registers=160 tileM=64 | consumerRows: tileM must be a multiple of 192,"
                        + " 64 for each of 3 warpgroups that share a tile, got 64 (consumers=3 mode=cooperative swapAB=0 tileM=64 tileN=128)",
                "swapAB=1 tileM=96 tileN=72 | consumerRows: tileN must be a multiple of 64, got 72"
                        + " (consumers=2 mode=cooperative swapAB=1 tileM=96 tileN=72)",
                "swapAB=1 tileM=128 tileN=128 | swapUnused: a tile of 128x128 reads no less with A and B swapped, so swapAB"
                        + " must be 0, got 1 (swapAB=1 tileM=128 tileN=128)",
                "tileM=192 tileN=200 loadStages=3 registers=240 | consumerColumns: tileN must be a multiple of 16 where two"
                        + " warpgroups share the columns of 192 rows, got 200 (consumers=2 mode=cooperative swapAB=0 swizzle=128 tileM=192 tileN=200)",
                "consumers=1 registers=232 | registerPool: with 1 consumers a thread has 255 registers without"
                        + " redistribution, so 232 would be no more (consumers=1 ctasPerSm=1 registers=232)",
                "consumers=3 tileM=192 registers=232 | registerPool: 3 consumers of 232 registers and a producer of 24"
                        + " are 720, more than the 512 that an SM has for 128 threads (consumers=3 ctasPerSm=1 registers=232)",
                "consumers=3 tileM=192 tileN=208 registers=160 | instructionRegisters: an instruction of 208 columns"
                        + " takes 130 registers, more than the 128 that a thread of 3 consumers has at the entry"
                        + " (consumers=3 ctasPerSm=1 mode=cooperative swapAB=0 tileM=192 tileN=208)",
                "tileM=256 tileN=256 | accumulatorRegisters: 256 accumulators and 32 working registers a thread"
                        + " are more than 232"
                        + " (consumers=2 ctasPerSm=1 mode=cooperative registers=232"
                        + " splitK=1 tileLocation=raster tileM=256 tileN=256)",
                "tileM=256 tileN=176 registers=0 | accumulatorRegisters: 176 accumulators and 32 working"
                        + " registers a thread are"
                        + " more than 168 (consumers=2 ctasPerSm=1 mode=cooperative registers=0"
                        + " splitK=1 tileLocation=raster tileM=256 tileN=176)",
                "tileK=32 | swizzleSpan: tileK must fill spans of the swizzle, 128 bytes each, got 32 elements of"
                        + " 2 bytes (swizzle=128"
                        + " tileK=32)",
                "clusterM=4 clusterN=4 | clusterSize: 16 CTAs in a cluster are more than 8 (clusterM=4 clusterN=4)",
                "multicast=both | multicastUnused: a cluster of 1 CTA has nobody to share with"
                        + " (clusterM=1 clusterN=1 multicast=both)",
                "mode=pingpong tileM=64 registers=0 tileN=64 ctasPerSm=2 | modeCtas: pingpong hides its epilogues by"
                        + " itself, so ctasPerSm must be 1, got 2 (ctasPerSm=2 mode=pingpong)",
                "ctasPerSm=2 | registerPool: 2 consumers of 232 registers and a producer of 24 are 488, more than the"
                        + " 256 that an SM has for 128 threads of each of 2 CTAs"
                        + " (consumers=2 ctasPerSm=2 registers=232)",
                "ctasPerSm=2 registers=0 consumers=3 tileM=192 tileN=64 | entryRegisters: a thread of 3 consumers of each"
                        + " of 2 CTAs has 64 registers at the entry, fewer than 72 (consumers=3 ctasPerSm=2)",
                "ctasPerSm=2 registers=0 tileN=112 | instructionRegisters: an instruction of 112 columns takes 82"
                        + " registers, more than the 80 that a thread of 2 consumers of each of 2 CTAs has at the entry"
                        + " (consumers=2 ctasPerSm=2 mode=cooperative swapAB=0 tileM=128 tileN=112)",
                "ctasPerSm=2 registers=0 tileN=88 | accumulatorRegisters: 44 accumulators and 40 working registers a"
                        + " thread are more than 80 (consumers=2 ctasPerSm=2 mode=cooperative registers=0 splitK=1 tileLocation=raster tileM=128"
                        + " tileN=88)",
                "ctasPerSm=2 registers=0 tileN=80 loadStages=4 | sharedMemory: 139328 bytes of shared memory are more"
                        + " than 115712 (consumers=2 ctasPerSm=2",
                "waitDepth=0 | waitDepthStages: waitDepth must be 1 with more than 3 stages, got 0 with 4 (loadStages=4"
                        + " waitDepth=0)",
                "scheduler=single gridSize=128 | gridSizeUnused: the scheduler single has a cluster for each cluster"
                        + " tile, so gridSize must be 0, got 128 (gridSize=128 scheduler=single)",
                "gridSize=112 | gridSize must be one of 0, 128, got 112",
                "rasterOrder=hilbert rasterGroup=4 | rasterOrder must be one of groupedM, groupedN, alongM, alongN, got"
                        + " hilbert",
                "tileLocation=table | tileLocation must be one of raster, got table",
                "clusterM=2 multicast=b | multicastUnused: a cluster of 2x1 CTAs shares one operand at most, so"
                        + " multicast must be none or both, got b (clusterM=2 clusterN=1 multicast=b)",
                "mode=pingpong scheduler=single | modeScheduler: the scheduler single gives a CTA 1 tile,"
                        + " pingpong needs 2 to"
                        + " overlap (mode=pingpong scheduler=single)",
                "tileN=256 loadStages=5 | sharedMemory: 278608 bytes of shared memory are more than 232448"
                        + " (consumers=2 ctasPerSm=1"
                        + " epilogueN=64 epilogueStages=2 loadStages=5 mode=cooperative scheduler=static tileK=64 tileM=128"
                        + " tileN=256)",
                "rasterOrder=alongM rasterGroup=8 | rasterGroupUnused: alongM knows no group, so rasterGroup"
                        + " must be 4, which"
                        + " stands for all, got 8 (rasterGroup=8 rasterOrder=alongM)",
                "tileN=264 | tileN must be one of 64, 72, 80,",
            })
    void rulesSayWhatIsWrong(String change, String expected) {
        Config config = change.contains("consumers=1 registers")
                ? Configs.with(change).with("registers", ParameterValue.of(232))
                : Configs.with(change);
        Violation violation = space("4096x4096x4096").violation(config).orElseThrow();
        assertThat(violation.toString()).startsWith(expected);
    }

    /** 32 x 24 tiles are 6 waves of 128 and of 132 CTAs; 32 x 25 tiles are 7; 39 x 20 are 7 and 6. */
    @Test
    void aSmallerGridIsTriedWhereItTakesNoWaveMore() {
        Config fewer = Configs.with("gridSize=128");
        assertThat(space("4096x3072x512").violation(fewer)).isEmpty();
        assertThat(space("4096x3200x512").violation(fewer)).isEmpty();
        assertThat(space("4992x2560x512").violation(fewer).orElseThrow().reason())
                .isEqualTo(
                        "780 cluster tiles or pieces take 7 waves of 128 clusters, and 6 of the 132 that are resident");
        assertThat(space("2048x1024x512").violation(fewer).orElseThrow().reason())
                .isEqualTo(
                        "the 128 cluster tiles or pieces are one wave of 128 clusters, so gridSize must be 0, got 128");
        assertThat(family.space(problem("4096x3072x512"), DeviceLimits.of(4))
                        .violation(fewer)
                        .orElseThrow()
                        .reason())
                .startsWith("gridSize must be one of 0, got 128");
    }

    @Test
    void rulesThatDependOnProblemAndDevice() {
        Config pair = Configs.with("clusterM=2 multicast=both tileN=64 clusterK=1");
        assertThat(space("128x512x64").violation(pair).orElseThrow().reason())
                .isEqualTo("a cluster of 2x1 tiles is larger than the 1x8 tiles of the output");
        assertThat(space("64x512x64")
                        .violation(Configs.with("tileN=64 clusterK=1"))
                        .orElseThrow()
                        .reason())
                .isEqualTo("of 128 rows at least 64 are padding for m = 64: 64 rows less would do");
        assertThat(family.space(problem("512x512x64"), DeviceLimits.of(1))
                        .violation(pair)
                        .orElseThrow()
                        .reason())
                .isEqualTo("a device with 1 SMs holds no cluster of 2 CTAs");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1024x2048x128 | tileN=64 splitK=4 | splitDepth: k = 128 has 2 blocks of 64, too few for 4 pieces of a"
                        + " tile (splitK=4 tileK=64)",
                "2048x4096x4096 | tileM=128 tileN=64 splitK=2 | splitTiles: 1024 tiles of 128x64 are more than 264, two"
                        + " for each SM, so 2 pieces of each would give nobody work (splitK=2 tileM=128 tileN=64)",
                "1024x2048x4096 | tileM=256 tileN=200 loadStages=3 splitK=2 | accumulatorRegisters: 200 accumulators and 48"
                        + " working registers a thread are more than 232",
                "4096x14336x4096 | splitK=2 | splitK must be one of 1, got 2",
            })
    void splitsWhereTilesAreFew(String shape, String change, String expected) {
        assertThat(space(shape).violation(Configs.with(change)).orElseThrow().toString())
                .startsWith(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "128x4096x256 | clusterK=8 consumers=1 tileM=64 tileN=64 | clusterPartsDepth: k = 256 has 4 blocks of 64, too few for 8 pieces of a tile",
                "128x4096x4096 | clusterK=4 tileN=64 loadStages=2 clusterN=4 multicast=both | clusterPartsSize: 16 CTAs in a"
                        + " cluster, 4 for each tile, are more than 8",
                "128x4096x4096 | clusterK=2 tileN=64 gridSize=128 | clusterPartsGrid: gridSize must be 0 where clusterK = 2, got 128",
                "128x4096x4096 | clusterK=2 loadStages=6 | sharedMemory: 262272 bytes of shared memory are more than",
                "128x8192x4096 | tileM=64 tileN=64 clusterK=2 epilogueN=32 consumers=1 | -",
                "128x8192x4096 | consumers=1 registers=0 tileM=128 tileN=208 loadStages=2 clusterK=8 | clusterPartsRegisters: 208"
                        + " accumulators and 48 working registers a thread are more than 255",
                "4096x4096x4096 | clusterK=2 | parameters that sm90-gemm does not have: clusterK",
            })
    void clustersShareTheDepthWhereTilesAreFew(String shape, String change, String expected) {
        assertThat(space(shape)
                        .violation(Configs.with(change))
                        .map(Object::toString)
                        .orElse("-"))
                .startsWith(expected);
    }

    @Test
    void fewTilesAreSplit() {
        SearchSpace space = space("1024x2048x256");
        for (String splitK : List.of("splitK=1", "splitK=2", "splitK=4")) {
            assertThat(space.violation(Configs.with(splitK))).isEmpty();
        }
        assertThat(family.anchor(SpaceTree.of(space("1024x2048x256").usual(Map.of())))
                        .orElseThrow()
                        .whole("splitK"))
                .isEqualTo(1);
        // Of several GEMMs each tile stands in the table whole.
        Problem one = problem("1024x2048x256");
        Problem several = new Problem(List.of(one.shape()), 3, one.types(), one.major(), one.scenario());
        SearchSpace whole = family.space(several, H200);
        assertThat(whole.parameters().stream()
                        .filter(parameter -> parameter.name().equals("splitK"))
                        .flatMap(parameter -> parameter.values().stream()))
                .containsExactly(ParameterValue.of(1));
    }

    /** On an emulated GPU a config is proved that was drawn for another. */
    @Test
    void anEmulatedGpuHasNoWavesToFill() {
        assertThat(family.space(problem("20000x20000x4096"), DeviceLimits.of(4))
                        .violation(Configs.with("splitK=3 tileN=64 clusterK=1")))
                .isEmpty();
    }

    /** The narrower swizzle comes back with a depth whose rows it alone fills. */
    @Test
    void theNarrowSwizzleIsTriedOnRequestAlone() {
        for (OperandMajors major : List.of(OperandMajors.DEFAULT, new OperandMajors(Major.M, Major.N, Major.N))) {
            Problem one = problem("4096x4096x4096");
            SearchSpace space =
                    family.space(new Problem(one.groups(), one.batch(), one.types(), major, one.scenario()), H200);
            assertThat(swizzles(space.usual(Map.of()))).containsExactly(128);
            assertThat(swizzles(space.usual(Map.of("swizzle", List.of(ParameterValue.of(64))))))
                    .containsExactly(64);
        }
        assertThat(swizzles(space("4096x4096x4096").usual(Map.of("tileK", List.of(ParameterValue.of(32))))))
                .containsExactly(64);
    }

    private static Set<Integer> swizzles(SearchSpace space) {
        SpaceTree tree = SpaceTree.of(space);
        return new SplittableRandom(7)
                .longs(200, 0, tree.size())
                .mapToObj(tree::config)
                .map(config -> config.whole("swizzle"))
                .collect(Collectors.toSet());
    }

    @Test
    void whatIsRetiredIsRefusedByName() {
        assertThat(space("4096x4096x4096")
                        .violation(Configs.with("streamK=remainder"))
                        .orElseThrow()
                        .toString())
                .startsWith("parameters that sm90-gemm does not have: streamK");
    }

    @Test
    void familiesByName() {
        assertThat(Families.standard().named("sm90-gemm").family()).isEqualTo("sm90-gemm");
        assertThatThrownBy(() -> Families.standard().named("sm80-gemm"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown kernel family 'sm80-gemm'; known: sm90-gemm, sm100-gemm, cublaslt");
    }

    @Test
    void typedConfigsNameWhatIsWrong() {
        assertThatThrownBy(() -> Sm90Config.of(Configs.with("scheduler=clc")))
                .hasMessage("scheduler must be one of [static, single, atomic], got 'clc'");
        assertThatThrownBy(() -> Sm90Config.of(Config.of(Map.of())))
                .hasMessageStartingWith("config has no parameter 'scheduler'");
        assertThat(List.of(0, 232, 240).stream()
                        .map(registers -> Sm90Config.of(Configs.with("registers=" + registers))
                                .multiply()
                                .producerRegisters()))
                .containsExactly(0, 40, 24);
    }
}
