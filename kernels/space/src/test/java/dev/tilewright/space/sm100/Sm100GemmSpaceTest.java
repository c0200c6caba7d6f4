package dev.tilewright.space.sm100;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Violation;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.parameter.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Sm100GemmSpaceTest {

    private static final DeviceLimits B200 = DeviceLimits.of(148);

    private final Sm100GemmSpace family = new Sm100GemmSpace();

    private SearchSpace space(String shape) {
        return family.space(Problem.of(ProblemShape.parse(shape), DataType.BF16), B200);
    }

    private static Problem problem(String shape, DataType a, DataType b, DataType d) {
        return new Problem(
                List.of(ProblemShape.parse(shape)),
                1,
                new OperandTypes(a, b, d),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }

    @Test
    void hasTheParametersOfTheDesign() {
        SearchSpace space = space("4096x4096x4096");
        assertThat(space.names(Parameter.Kind.TEXT))
                .containsExactlyInAnyOrder(
                        "inputType",
                        "outputType",
                        "scheduler",
                        "ctaGroup",
                        "tileM",
                        "tileN",
                        "tileK",
                        "loadStages",
                        "accumulatorStages",
                        "clcStages",
                        "clcPrefetch",
                        "clcThrottle",
                        "clusterM",
                        "clusterN",
                        "multicast",
                        "epilogueN");
        assertThat(space.names(Parameter.Kind.LAUNCH))
                .containsExactlyInAnyOrder("rasterOrder", "rasterGroup", "gridSize");
    }

    @Test
    void sizeOfTheSpace() {
        SearchSpace space = space("4096x14336x4096");
        assertThat(SpaceTree.of(space).size()).isGreaterThan(1_000_000);
        assertThat(SpaceTree.of(space.usual(Map.of())).size()).isBetween(100_000L, 1_000_000L);
    }

    /**
     * The 48 points of the literature for each scheduler: all are points of the space; those that do not fit say so.
     */
    @Test
    void holdsTheSpaceOfTheLiterature() {
        SearchSpace space = space("8192x8192x8192");
        for (Scheduler scheduler : Scheduler.values()) {
            List<Config> literature = literature(scheduler);
            assertThat(literature).hasSize(48);
            List<Config> pruned = new ArrayList<>();
            for (Config config : literature) {
                Optional<Violation> violation = space.violation(config);
                violation.ifPresent(broken -> {
                    assertThat(broken.toString()).startsWith("sharedMemory: ");
                    pruned.add(config);
                });
            }
            assertThat(pruned.stream()
                            .map(config -> config.whole("tileN") + "x" + config.whole("tileK") + " with "
                                    + config.whole("loadStages"))
                            .collect(Collectors.toSet()))
                    .containsExactly("256x64 with 5");
            assertThat(pruned).hasSize(4);
        }
    }

    private static List<Config> literature(Scheduler scheduler) {
        List<Config> points = new ArrayList<>();
        for (int tileN : List.of(128, 256)) {
            for (int tileK : List.of(32, 64)) {
                for (int loadStages : List.of(3, 4, 5)) {
                    for (int accumulatorStages : List.of(1, 2)) {
                        for (int group : List.of(4, 8)) {
                            points.add(Configs100.with("scheduler=" + scheduler + " tileN=" + tileN + " tileK=" + tileK
                                    + " loadStages=" + loadStages + " accumulatorStages=" + accumulatorStages
                                    + " epilogueN=16 rasterGroup=" + group));
                        }
                    }
                }
            }
        }
        return points;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tileM=256 | groupRows: tileM must be 128, 128 for each of 1 CTAs, got 256 (ctaGroup=1 tileM=256)",
                "clusterM=4 clusterN=2 | clusterSize: 8 CTAs in a cluster are more than 4: larger clusters leave SMs"
                        + " empty (clusterM=4 clusterN=2)",
                "multicast=both | multicastUnused: in a cluster of 1x1 a group of 1 CTAs has nobody to share with"
                        + " (clusterM=1 clusterN=1 ctaGroup=1 multicast=both)",
                "ctaGroup=2 multicast=both | multicastUnused: in a cluster of 2x1 a group of 2 CTAs has nobody to share"
                        + " with (clusterM=2 clusterN=1 ctaGroup=2 multicast=both)",
                "clcStages=2 | ringUnused: the scheduler static asks nobody, so clcStages and clcPrefetch must be 1 and"
                        + " clcThrottle none, which stand for nothing, got 2, 1 and none"
                        + " (clcPrefetch=1 clcStages=2 clcThrottle=none scheduler=static)",
                "scheduler=clc clcStages=2 clcPrefetch=3 | prefetchSlots: queries in flight must be from 1 to the 2"
                        + " slots that take their answers, got 3 (clcPrefetch=3 clcStages=2)",
                "tileN=256 loadStages=5 epilogueN=16 | sharedMemory: 254",
                "rasterOrder=alongM | rasterGroupUnused: alongM knows no group, so rasterGroup must be 1, which stands"
                        + " for all, got 8 (rasterGroup=8 rasterOrder=alongM)",
            })
    void rulesNameTheirValues(String changes, String message) {
        Optional<Violation> violation = space("8192x8192x8192").violation(Configs100.with(changes));
        assertThat(violation.orElseThrow().toString()).startsWith(message);
    }

    @Test
    void clustersFitTheOutputAndTheDevice() {
        assertThat(space("128x4096x64")
                        .violation(Configs100.with("ctaGroup=2"))
                        .orElseThrow()
                        .toString())
                .startsWith("clusterPadding: a cluster of 2x1 tiles is larger than the 1x32 tiles of the output");
        assertThat(family.space(Problem.of(ProblemShape.parse("512x512x64"), DataType.BF16), DeviceLimits.of(1))
                        .violation(Configs100.with("clusterM=2"))
                        .orElseThrow()
                        .toString())
                .startsWith("waveClusters: a device with 1 SMs holds no cluster of 2 CTAs");
    }

    @Test
    void typesAreThoseOfTheProblem() {
        SearchSpace space = family.space(problem("512x512x512", DataType.E4M3, DataType.E4M3, DataType.F32), B200);
        assertThat(space.violation(Configs100.with()).orElseThrow().toString())
                .startsWith("inputType must be one of e4m3, got bf16");
        assertThat(space.violation(Configs100.with("inputType=e4m3 outputType=f32")))
                .isEmpty();
        assertThat(space.violation(Configs100.with("inputType=e4m3 outputType=f32 epilogueN=64"))
                        .orElseThrow()
                        .toString())
                .startsWith(
                        "panelSpan: epilogueN must be [32, 64, 128] bytes of f32, a panel as wide as a swizzle, got 64 columns");
    }

    @ParameterizedTest
    @CsvSource({
        "256x256x64, f32, f32, f32, 'takes one of [bf16, f16, e4m3] for a and b, got f32'",
        "256x256x64, bf16, f16, f32, 'takes one type for a and b'",
        "256x256x64, e4m3, e4m3, e4m3, 'takes one of [bf16, f16, f32] for d, got e4m3'",
        "256x256x24, e4m3, e4m3, bf16, 'k = 24 times 1 bytes is 24: rows of A and B must be a multiple of 16 bytes'",
        "256x4x64, bf16, bf16, bf16, 'n = 4 times 2 bytes is 8: rows of D must be a multiple of 16 bytes'",
    })
    void refusals(String shape, String a, String b, String d, String reason) {
        Problem problem = problem(shape, DataType.parse(a), DataType.parse(b), DataType.parse(d));
        assertThat(family.refusal(problem).orElseThrow()).contains(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ctaGroup=3 | ctaGroup must be 1 or 2, got 3",
                "tileM=256 | tileM must be 128, 128 for each of 1 CTAs, got 256",
                "tileN=264 | tileN must be a multiple of 16 up to 256, got 264",
                "ctaGroup=2 tileN=48 | tileN must be a multiple of 32 up to 256, got 48",
                "tileK=48 | tileK must be [32, 64, 128, 256] bytes of bf16, got 48 elements",
                "accumulatorStages=3 | accumulatorStages must be 1 or 2, got 3",
                "epilogueN=24 | epilogueN must be [32, 64, 128] bytes of bf16, a panel as wide as a swizzle, got 24 columns",
                "tileN=96 epilogueN=64 | epilogueN must divide the 96 columns of a tile, got 64",
                "clusterM=4 clusterN=5 | a cluster must have at most 16 CTAs, got 20",
                "clusterM=4 multicast=both tileN=80 epilogueN=16 | with multicast over 4 CTAs, tileN must be a multiple of"
                        + " 32, got 80",
                "clcPrefetch=2 | queries in flight must be from 1 to the 1 slots that take their answers, got 2",
                "clcStages=0 | a ring has at least 1 slot, got 0",
                "clcThrottle=store | clcThrottle must be one of [none, load, loaded, mainloop], got 'store'",
                "ctaGroup=2 clusterM=3 | clusterM must be a multiple of the 2 CTAs of a group, which lie along M, got 3",
                "clusterM=2 clusterN=2 multicast=a | multicast must be one of [none, both], got 'a'",
                "inputType=f32 | inputType must be one of [bf16, f16, e4m3], got f32",
            })
    void refusesWhatCannotBeBuiltNamingTheValue(String changes, String message) {
        assertThatThrownBy(() -> Sm100Config.of(Configs100.with(changes)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void tensorColumnsAreAPowerOfTwoThatHoldsAllAccumulators() {
        assertThat(List.of(
                        columns("tileN=64 accumulatorStages=1"),
                        columns("tileN=192 accumulatorStages=1"),
                        columns("tileN=192 accumulatorStages=2"),
                        columns("tileN=256 accumulatorStages=2"),
                        columns("tileN=16 epilogueN=16 accumulatorStages=1")))
                .containsExactly(64, 256, 512, 512, 32);
    }

    private static int columns(String changes) {
        return Sm100Config.of(Configs100.with(changes)).multiply().tensorColumns();
    }
}
