package dev.tilewright.space.sm90;

import static dev.tilewright.space.sm90.OnH200.problem;
import static dev.tilewright.space.sm90.OnH200.space;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.sm100.Sm100GemmSpace;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which problems {@code sm90-gemm} takes, and what their types, groups and scenario change of its space. */
class Sm90ProblemsTest {

    private final Sm90GemmSpace family = new Sm90GemmSpace();

    @ParameterizedTest
    @ValueSource(strings = {"1x8x8", "16384x16384x16384", "128x8192x8192", "5000x5000x5056", "1048576x64x8"})
    void acceptsShapesWithTails(String shape) {
        assertThat(family.refusal(problem(shape))).isEmpty();
        assertThat(SpaceTree.of(space(shape)).size()).isPositive();
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

    /** Several GEMMs share types and layouts; each of them must be aligned. */
    @Test
    void namesTheGroupThatItRefuses() {
        Problem one = typed("328x136x200", "f16,f16,f32", "m,n,n");
        Problem several = new Problem(
                List.of(one.shape(), ProblemShape.parse("100x136x72")), 3, one.types(), one.major(), one.scenario());
        assertThat(family.refusal(several))
                .hasValue("group 1: m = 100 times 2 bytes is 200: columns of A must be a multiple of 16 bytes for the"
                        + " tensor map");
    }

    private static Problem typed(String shape, String types, String majors) {
        List<DataType> type =
                Arrays.stream(types.split(",")).map(DataType::parse).toList();
        List<Major> major = Arrays.stream(majors.split(","))
                .map(name -> Major.valueOf(name.toUpperCase(Locale.ROOT)))
                .toList();
        return new Problem(
                List.of(ProblemShape.parse(shape)),
                1,
                new OperandTypes(type.get(0), type.get(1), type.get(2)),
                new OperandMajors(major.get(0), major.get(1), major.get(2)),
                Scenario.QUIET);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "256x512x64 | f32,f32,f32 | k,k,n | types a = f32, b = f32, d = f32: sm90-gemm takes one of [bf16, f16,"
                        + " e4m3, e5m2] for a and b",
                "256x512x64 | bf16,f16,bf16 | k,k,n | types a = bf16, b = f16, d = bf16: sm90-gemm takes two types for"
                        + " a and b only where both are of e4m3 and e5m2",
                "256x512x64 | e4m3,bf16,bf16 | k,k,n | types a = e4m3, b = bf16, d = bf16: sm90-gemm takes two types"
                        + " for a and b only where both are of e4m3 and e5m2",
                "256x512x64 | e4m3,e5m2,e4m3 | k,k,n | types a = e4m3, b = e5m2, d = e4m3: sm90-gemm takes one of"
                        + " [bf16, f16, f32] for d",
                "256x512x64 | bf16,bf16,bf16 | k,k,m | major d = m: sm90-gemm stores D row-major, so d must be n",
                "256x512x64 | e4m3,e5m2,bf16 | m,k,n | major a = m with type e4m3: sm90-gemm takes a = k, for wgmma"
                        + " reads operands of 8 bits K-major alone",
                "256x512x64 | e4m3,e5m2,bf16 | k,n,n | major b = n with type e5m2: sm90-gemm takes b = k, for wgmma"
                        + " reads operands of 8 bits K-major alone",
                "128x128x72 | e4m3,e4m3,bf16 | k,k,n | k = 72 times 1 bytes is 72: rows of A and B must be a multiple"
                        + " of 16 bytes for the tensor map",
                "100x128x64 | f16,f16,f16 | m,k,n | m = 100 times 2 bytes is 200: columns of A must be a multiple of 16"
                        + " bytes for the tensor map",
                "128x68x64 | f16,f16,f32 | k,n,n | n = 68 times 2 bytes is 136: columns of B must be a multiple of 16"
                        + " bytes for the tensor map",
                "128x128x100 | f16,f16,f32 | m,k,n | k = 100 times 2 bytes is 200: rows of B must be a multiple of 16"
                        + " bytes for the tensor map",
                "128x66x64 | bf16,bf16,f32 | k,k,n | n = 66 times 4 bytes is 264: rows of D must be a multiple of 16"
                        + " bytes for the tensor map",
            })
    void refusesOtherTypesAndLayouts(String shape, String types, String majors, String reason) {
        assertThat(family.refusal(typed(shape, types, majors))).hasValue(reason);
    }

    /** Only what is contiguous must be aligned: of M- and N-major inputs K may be any. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "328x136x7 | bf16,bf16,bf16 | m,n,n",
                "328x136x200 | f16,f16,f32 | k,n,n",
                "327x136x208 | e5m2,e4m3,f16 | k,k,n",
                "328x132x200 | f16,f16,f32 | m,k,n",
            })
    void acceptsOtherTypesAndLayouts(String shape, String types, String majors) {
        Problem problem = typed(shape, types, majors);
        assertThat(family.refusal(problem)).isEmpty();
        SearchSpace space = family.space(problem, DeviceLimits.of(132));
        assertThat(SpaceTree.of(space).size()).isPositive();
    }

    /** A config says what is not bf16 and K-major, and no more. */
    @Test
    void typesAreParametersWithOneValue() {
        assertThat(names(typed("256x512x64", "bf16,bf16,bf16", "k,k,n"))).doesNotContain("typeA", "majorA");
        assertThat(names(typed("256x512x64", "bf16,bf16,f32", "m,k,n")))
                .contains("typeD", "majorA")
                .doesNotContain("typeA", "typeB", "majorB");
        assertThat(names(typed("256x512x64", "e4m3,e5m2,bf16", "k,k,n")))
                .contains("typeA", "typeB")
                .doesNotContain("typeD");
    }

    /** Some of the space of a problem, from anywhere in it, the same for equal trees. */
    private List<Config> configs(Problem problem) {
        SpaceTree tree = SpaceTree.of(family.space(problem, DeviceLimits.of(132)));
        SplittableRandom random = new SplittableRandom(1);
        return Stream.generate(() -> tree.draw(random)).limit(500).toList();
    }

    private Optional<Config> anchor(Problem problem) {
        return family.anchor(
                SpaceTree.of(family.space(problem, DeviceLimits.of(132)).usual(Map.of())));
    }

    private List<String> names(Problem problem) {
        return family.space(problem, DeviceLimits.of(132)).parameters().stream()
                .map(Parameter::name)
                .toList();
    }

    /**
     * The text is that of a quiet GPU; a cluster that finds no room is left out, and grids are those of the free SMs.
     */
    @Test
    void heldSmsLeaveOutClustersThatFindNoRoom() {
        Problem quiet = problem("1000x1512x704");
        Problem held16 = quiet.beside(new Scenario(16));
        Problem held131 = quiet.beside(new Scenario(131));
        DeviceLimits h200 = DeviceLimits.of(132);
        assertThat(family.refusal(held131)).isEmpty();
        assertThat(family.space(held16, h200).parameters())
                .filteredOn(parameter -> !parameter.name().equals("gridSize"))
                .isEqualTo(family.space(quiet, h200).parameters().stream()
                        .filter(parameter -> !parameter.name().equals("gridSize"))
                        .toList());
        assertThat(family.space(held16, h200).parameters())
                .filteredOn(parameter -> parameter.name().equals("gridSize"))
                .singleElement()
                .satisfies(grid -> {
                    assertThat(grid.values()).extracting(Object::toString).containsExactly("0", "112", "132");
                    assertThat(grid.usual()).extracting(Object::toString).containsExactly("0", "112");
                });
        SearchSpace crowded = family.space(held131, h200);
        assertThat(crowded.hash()).isNotEqualTo(family.space(quiet, h200).hash());
        assertThat(configs(held131))
                .isNotEmpty()
                .allMatch(config -> config.whole("clusterM") * config.whole("clusterN") == 1);
        assertThat(crowded.violation(Configs.with("clusterM=2 multicast=both"))
                        .orElseThrow()
                        .toString())
                .startsWith("freeSms: busySms = 131 of 132 SMs leaves no room for a cluster of 2 CTAs");
        assertThat(SpaceTree.of(family.space(quiet.beside(new Scenario(132)), h200))
                        .isEmpty())
                .isTrue();
    }

    /** Where launches overlap, those of the anchor and of every config do; elsewhere nobody hears of it. */
    @Test
    void launchesOverlapWhereTheScenarioSaysSoAlone() {
        Problem quiet = problem("1000x1512x704");
        Problem overlapped = quiet.beside(new Scenario(16).overlapping());
        DeviceLimits h200 = DeviceLimits.of(132);
        assertThat(names(quiet)).doesNotContain("launchOverlap");
        assertThat(names(overlapped)).contains("launchOverlap").containsAll(names(quiet));
        assertThat(configs(overlapped))
                .extracting(config -> config.name("launchOverlap"))
                .contains("prologue", "loaded")
                .doesNotContain("none");
        Config anchor = anchor(quiet).orElseThrow();
        assertThat(anchor(overlapped)).contains(anchor.with("launchOverlap=prologue"));
        assertThat(new Sm100GemmSpace().refusal(overlapped))
                .contains("launchOverlap = true: a launch of sm100-gemm starts when the one ahead of it has ended");
        assertThat(new Sm100GemmSpace().refusal(quiet)).isEmpty();
    }
}
