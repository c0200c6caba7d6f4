package dev.tilewright.gemm.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.Configs;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Parameter;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.SearchSpace;
import dev.tilewright.model.space.SpaceSummary;
import dev.tilewright.model.space.Violation;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class Sm90GemmSpaceTest {

    private static final DeviceLimits H200 = DeviceLimits.of(132);

    private final Sm90GemmSpace family = new Sm90GemmSpace();

    private SearchSpace space(String shape) {
        return family.space(problem(shape), H200);
    }

    private static Problem problem(String shape) {
        return Problem.of(ProblemShape.parse(shape), DataType.BF16);
    }

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
                        "registers",
                        "waitDepth");
        assertThat(space.names(Parameter.Kind.LAUNCH))
                .containsExactlyInAnyOrder("rasterOrder", "rasterGroup", "gridSize");
    }

    @Test
    void sizeOfTheSpace() {
        SpaceSummary summary = space("4096x4096x4096").summary();
        assertThat(summary.points()).isEqualTo(1_382_400);
        assertThat(summary.size()).isEqualTo(76_160);
        assertThat(summary.prunedBy().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(summary.points() - summary.size());
        assertThat(summary.prunedBy().keySet()).isEqualTo(summary.examples().keySet());
    }

    /** Strategies draw points and reject those that break a rule: 5.5 of 100 must not become fewer than 5. */
    @Test
    void oneDrawInTwentyIsAConfig() {
        SearchSpace space = space("4096x14336x4096");
        SpaceSummary summary = space.summary();
        double rate = (double) summary.size() / summary.points();
        assertThat(rate).isBetween(0.05, 0.06);
        SplittableRandom random = new SplittableRandom(1);
        int draws = 4000;
        long hits = IntStream.range(0, draws)
                .filter(draw -> space.violation(space.draw(random)).isEmpty())
                .count();
        assertThat(hits / (double) draws).isBetween(rate - 0.012, rate + 0.012);
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
                "mode=pingpong tileM=64 tileN=128 loadStages=8 clusterM=2 multicast=both");
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
                "tileM=64 | consumerRows: 64 rows are no multiple of 128, 64 for each of 2 warpgroups that"
                        + " share a tile"
                        + " (consumers=2 mode=cooperative tileM=64)",
                "consumers=1 registers=232 | registerPool: with 1 consumer a CTA has 256 threads, which may"
                        + " have 255 registers"
                        + " each without redistribution, so 232 would be fewer (consumers=1 registers=232)",
                "tileM=256 tileN=256 | accumulatorRegisters: 256 accumulators and 40 working registers a thread"
                        + " are more than 232"
                        + " (consumers=2 mode=cooperative registers=232 tileM=256 tileN=256)",
                "tileM=256 tileN=176 registers=0 | accumulatorRegisters: 176 accumulators and 40 working"
                        + " registers a thread are"
                        + " more than 168 (consumers=2 mode=cooperative registers=0 tileM=256 tileN=176)",
                "tileK=32 | swizzleSpan: a row of 32 elements has 64 bytes, the swizzle spans 128 (swizzle=128"
                        + " tileK=32)",
                "clusterM=2 clusterN=2 | clusterSize: 4 CTAs in a cluster are more than 2: clusters of 4 leave"
                        + " SMs empty"
                        + " (clusterM=2 clusterN=2)",
                "multicast=both | multicastUnused: a cluster of 1 CTA has nobody to share with"
                        + " (clusterM=1 clusterN=1 multicast=both)",
                "mode=pingpong scheduler=single | modeScheduler: the scheduler single gives a CTA 1 tile,"
                        + " pingpong needs 2 to"
                        + " overlap (mode=pingpong scheduler=single)",
                "tileN=256 loadStages=5 | sharedMemory: 278608 bytes of shared memory are more than 232448"
                        + " (consumers=2"
                        + " epilogueN=64 loadStages=5 mode=cooperative scheduler=static tileK=64 tileM=128"
                        + " tileN=256)",
                "rasterOrder=alongM rasterGroup=8 | rasterGroupUnused: alongM knows no group, so rasterGroup"
                        + " must be 4, which"
                        + " stands for all, got 8 (rasterGroup=8 rasterOrder=alongM)",
                "tileN=72 | values: tileN must be one of 64, 128, 176, 192, 256, got 72",
            })
    void rulesSayWhatIsWrong(String change, String expected) {
        Config config = change.contains("consumers=1 registers")
                ? Configs.with(change).with("registers", ParameterValue.of(232))
                : Configs.with(change);
        Violation violation = space("4096x4096x4096").violation(config).orElseThrow();
        assertThat(violation.toString()).startsWith(expected);
    }

    @Test
    void rulesThatDependOnProblemAndDevice() {
        Config pair = Configs.with("clusterM=2 multicast=both tileN=64");
        assertThat(space("128x512x64").violation(pair).orElseThrow().reason())
                .isEqualTo("a cluster of 2x1 tiles is larger than the 1x8 tiles of the output");
        assertThat(space("64x512x64")
                        .violation(Configs.with("tileN=64"))
                        .orElseThrow()
                        .reason())
                .isEqualTo("of 128 rows at least 64 are padding for m = 64: 64 rows less would do");
        assertThat(family.space(problem("512x512x64"), DeviceLimits.of(1))
                        .violation(pair)
                        .orElseThrow()
                        .reason())
                .isEqualTo("a device with 1 SMs holds no cluster of 2 CTAs");
    }

    /** No slice of a tile that the space lists breaks this rule, so that it is asked by hand. */
    @Test
    void aSliceIsWholeSwizzlePatterns() {
        assertThat(space("4096x4096x4096").constraints().stream()
                        .filter(rule -> rule.id().equals("clusterSlice"))
                        .findFirst()
                        .orElseThrow()
                        .violation(Configs.with("clusterM=2 multicast=both tileN=168"))
                        .orElseThrow()
                        .reason())
                .isEqualTo("each CTA loads 128 rows of A and 84 rows of B, which must be multiples of 8, the rows of a"
                        + " swizzle pattern");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1x8x8", "16384x16384x16384", "128x8192x8192", "5000x5000x5056", "1048576x64x8"})
    void acceptsShapesWithTails(String shape) {
        assertThat(family.refusal(problem(shape))).isEmpty();
        assertThat(space(shape).summary().size()).isPositive();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "128x128x100 | k = 100 times 2 bytes is 200: rows of A and B must be a multiple of 16 bytes for"
                        + " the tensor map",
                "128x100x128 | n = 100 times 2 bytes is 200: rows of D must be a multiple of 16 bytes for the"
                        + " tensor map",
                "8x8x1073741832 | extent 1073741832 of 8x8x1073741832 is more than 1073741824: tensor"
                        + " coordinates are signed"
                        + " 32-bit numbers",
                "1048640x1048640x8 | 1048640x1048640x8 has 268468225 tiles of 64x64, more than 268435456: tile"
                        + " numbers are 32-bit",
            })
    void refusesShapes(String shape, String reason) {
        assertThat(family.refusal(problem(shape))).hasValue(reason);
    }

    @Test
    void refusesOtherProblems() {
        Problem plain = problem("256x512x64");
        assertThat(family.refusal(new Problem(plain.groups(), 1, plain.types(), plain.major(), new Scenario(4))))
                .hasValue("busySms = 4: sm90-gemm cannot hold SMs busy");
        assertThat(family.refusal(new Problem(
                        plain.groups(),
                        1,
                        new OperandTypes(DataType.BF16, DataType.BF16, DataType.F32),
                        plain.major(),
                        plain.scenario())))
                .hasValue("types [bf16, bf16, f32]: sm90-gemm takes bf16 for a, b and d, got f32");
        assertThat(family.refusal(new Problem(
                        plain.groups(),
                        1,
                        plain.types(),
                        new OperandMajors(Major.M, Major.K, Major.N),
                        plain.scenario())))
                .hasValue("major a = m, b = k, d = n: sm90-gemm takes a = k, b = k and d = n");
    }

    @Test
    void familiesByName() {
        assertThat(Families.standard().named("sm90-gemm").family()).isEqualTo("sm90-gemm");
        assertThatThrownBy(() -> Families.standard().named("sm80-gemm"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown kernel family 'sm80-gemm'; known: sm90-gemm, sm100-gemm");
    }

    @Test
    void typedConfigsNameWhatIsWrong() {
        assertThatThrownBy(() -> Sm90Config.of(Configs.with("scheduler=clc")))
                .hasMessage("scheduler must be one of [single, static, atomic], got 'clc'");
        assertThatThrownBy(() -> Sm90Config.of(Config.of(Map.of())))
                .hasMessageStartingWith("config has no parameter 'scheduler'");
        assertThat(List.of(0, 232, 240).stream()
                        .map(registers -> Sm90Config.of(Configs.with("registers=" + registers))
                                .producerRegisters()))
                .containsExactly(0, 40, 24);
    }
}
