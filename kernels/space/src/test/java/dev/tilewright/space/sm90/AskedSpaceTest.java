package dev.tilewright.space.sm90;

import static dev.tilewright.space.sm90.OnH200.H200;
import static dev.tilewright.space.sm90.OnH200.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Violation;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.sm100.Sm100GemmSpace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels that are asked for, also those that were found for another shape. */
class AskedSpaceTest {

    private static final int DRAWS = 60;

    /** One row; rows that tiles of 176 waste; so many that their space lacks clusterK. */
    private static final List<String> SHAPES = List.of("1x768x7808", "195x768x7808", "1423x768x7808");

    private static AskedSpace asked(String shape) {
        return AskedSpace.of(new Sm90GemmSpace(), problem(shape), H200);
    }

    private static Config swapped(String changes) {
        return Configs.with("swapAB=1 tileM=24 tileN=64 consumers=1", changes);
    }

    @ParameterizedTest
    @CsvSource({
        "195x768x7808, tileM=176 clusterK=1",
        "1423x768x7808, tileM=216 clusterK=1",
        "1423x768x7808, tileM=256 clusterK=2",
        "16384x768x7808, tileM=24",
        "4096x4096x4096, tileM=16 tileOrder=asGiven typeA=bf16 scales=tensor launchOverlap=none"
    })
    void aKernelThatNoSearchTriesForTheShapeIsOne(String shape, String changes) {
        AskedSpace asked = asked(shape);
        Config config = swapped(changes);

        assertThat(asked.searched().violation(config).orElseThrow().constraint())
                .isEqualTo(Violation.VALUES);
        assertThat(asked.violation(config)).isEmpty();
        assertThat(SpaceTree.of(asked.only(config)).configs()).containsExactly(config);
        assertThat(asked.untried(config)).isPresent();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tileM=177         | tileM must be one of 16, 24, 32, 40, 48, 56, 64, 72,
            tileM=4096        | tileM must be one of 16, 24,
            rasterOrder=foo   | rasterOrder must be one of groupedM, groupedN, alongM, alongN, got foo
            clusterK=3        | clusterK must be one of 1, 2, 4, 8, got 3
            clusterK=8        | 528 tiles of 24x64 are more than 264, two for each SM, so 8 pieces of each would
            splitK=8          | 528 tiles of 24x64 are more than 264, two for each SM, so 8 pieces of each would
            clcThrottle=load  | clcThrottle must be one of none, got load
            tileOrder=foo     | tileOrder must be one of asGiven, got foo
            color=red         | parameters that sm90-gemm does not have: color
            swapAB=0          | tileM must be a multiple of 64, got 24
            """)
    void whatIsNoKernelOfTheShapeIsNamed(String changes, String said) {
        AskedSpace asked = asked("1056x768x7808");

        assertThat(asked.violation(swapped(changes)).orElseThrow().reason()).contains(said);
    }

    /** Parts of a cluster are bound by their rules where the searched space has no word of them. */
    @Test
    void partsKeepTheirRulesWhereNoSearchHasThem() {
        Config deep = swapped("tileM=128 clusterK=8");
        assertThat(asked("2000x768x7808").violation(deep)).isEmpty();
        assertThat(asked("2000x768x256").violation(deep).orElseThrow().constraint())
                .isEqualTo("clusterPartsDepth");
        assertThat(asked("2000x768x7808")
                        .violation(swapped("tileM=128 clusterK=8 clusterM=2"))
                        .orElseThrow()
                        .constraint())
                .isEqualTo("clusterPartsSize");
    }

    @Test
    void aKernelHasTheNameThatASearchGivesIt() {
        Config named = swapped("tileM=216 clusterK=1");
        assertThat(asked("33x768x7808").named(named)).isEqualTo(named);
        assertThat(asked("1423x768x7808").named(named)).isEqualTo(swapped("tileM=216"));
        Config parts = swapped("tileM=216 clusterK=2 color=red");
        assertThat(asked("1423x768x7808").named(parts)).isEqualTo(parts);
        assertThat(asked("1423x768x7808").read(named.canonical())).isEqualTo(swapped("tileM=216"));
    }

    @Test
    void aConfigThatLacksWhatItMustHaveIsRefused() {
        assertThatThrownBy(() -> asked("33x768x7808").only(Config.parse("tileM=176")))
                .hasMessageContaining("; missing: ")
                .hasMessageContaining("tileN")
                .hasMessageNotContaining("clusterK");
    }

    private static Stream<FamilySpace> families() {
        return Stream.of(new Sm90GemmSpace(), new Sm100GemmSpace());
    }

    /** Of each space: its parameters, its values, and configs that are drawn from it. */
    @ParameterizedTest
    @CsvSource({"1, 132", "1423, 132", "195, 4"})
    void allThatASearchTriesIsAKernel(int m, int sms) {
        Problem problem = problem(m + "x768x7808");
        families().forEach(family -> {
            AskedSpace asked = AskedSpace.of(family, problem, DeviceLimits.of(sms));
            Map<String, Parameter> known = new HashMap<>();
            asked.kernels().parameters().forEach(parameter -> known.put(parameter.name(), parameter));
            for (Parameter parameter : asked.searched().parameters()) {
                assertThat(known.get(parameter.name()).values()).containsAll(parameter.values());
                assertThat(known.get(parameter.name()).kind()).isEqualTo(parameter.kind());
            }
            SpaceTree tree = SpaceTree.of(asked.searched());
            SplittableRandom random = new SplittableRandom(m);
            for (int draw = 0; draw < DRAWS; draw++) {
                Config config = tree.draw(random);
                assertThat(asked.violation(config)).as(config.canonical()).isEmpty();
                assertThat(asked.named(config)).isEqualTo(config);
            }
        });
    }

    /** A kernel of other rows is refused by a rule alone, never by a value: all of them are values of the family. */
    @Test
    void aKernelOfOtherRowsIsRefusedByRulesAlone() {
        int taken = 0;
        for (String from : SHAPES) {
            SpaceTree tree = SpaceTree.of(OnH200.space(from));
            SplittableRandom random = new SplittableRandom(from.length());
            List<SearchSpace> others =
                    SHAPES.stream().map(shape -> asked(shape).kernels()).toList();
            for (int draw = 0; draw < DRAWS; draw++) {
                Config config = tree.draw(random);
                for (SearchSpace other : others) {
                    assertThat(other.violation(config)).isEqualTo(other.broken(config));
                    taken += other.violation(config).isEmpty() ? 1 : 0;
                }
            }
        }
        assertThat(taken).isGreaterThan(2 * DRAWS * SHAPES.size());
    }
}
