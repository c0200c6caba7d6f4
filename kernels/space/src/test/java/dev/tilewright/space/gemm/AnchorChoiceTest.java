package dev.tilewright.space.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.gemm.AnchorChoice.Wish;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnchorChoiceTest {

    private static final SpaceTree SPACE = SpaceTree.of(new SearchSpace(
            "toy",
            List.of(
                    Parameter.text("tileM", 64, 128, 256),
                    Parameter.text("tileN", 64, 128),
                    Parameter.launch("group", 1, 2)),
            List.of(new Constraint(
                    "area",
                    List.of("tileM", "tileN"),
                    config -> config.whole("tileM") * config.whole("tileN") <= 16384
                            ? Optional.empty()
                            : Optional.of("too big")))));

    @Test
    void grantsWishesInTheirOrderAndDropsWhatIsImpossible() {
        Config chosen = AnchorChoice.first(
                        SPACE,
                        List.of(
                                Wish.of("tileM", 256),
                                Wish.of("tileN", 128),
                                Wish.of("tileN", 256),
                                Wish.of("stages", 4),
                                Wish.of("group", 2)))
                .orElseThrow();
        assertThat(chosen.canonical())
                .contains("tileM=256")
                .contains("tileN=64")
                .contains("group=2");
    }

    @Test
    void whatNobodyWishesIsTheFirstConfig() {
        assertThat(AnchorChoice.first(SPACE, List.of()).orElseThrow().canonical())
                .isEqualTo("group=1 tileM=64 tileN=64");
    }

    @ParameterizedTest
    @CsvSource({"4096, 4096, 4096", "128, 8192, 8192", "5000, 5000, 5056", "64, 64, 64", "16384, 16384, 2048"})
    void hopperHasOneForEveryShape(int m, int n, int k) {
        Problem problem = Problem.of(new ProblemShape(m, n, k), DataType.BF16);
        DeviceLimits limits = DeviceLimits.of(132);
        Sm90GemmSpace family = new Sm90GemmSpace();
        SpaceTree space = SpaceTree.of(family.space(problem, limits).usual(Map.of()));
        Config anchor = family.anchor(space).orElseThrow();
        assertThat(family.space(problem, limits).violation(anchor)).isEmpty();
        assertThat(family.anchor(space)).as("always the same").hasValue(anchor);
        assertThat(anchor.name("mode")).isEqualTo("cooperative");
        if (m >= 128) {
            assertThat(anchor.whole("tileM") * anchor.whole("tileN")).isEqualTo(128 * 256);
        }
    }
}
