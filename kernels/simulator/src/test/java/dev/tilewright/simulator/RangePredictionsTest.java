package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of a range of M, as the model would have it. */
class RangePredictionsTest {

    /** A space of some hundred configs. */
    private static final Map<String, List<ParameterValue>> FEW = Map.of(
            "scheduler", List.of(ParameterValue.of("static")),
            "clusterM", List.of(ParameterValue.of(1)),
            "clusterN", List.of(ParameterValue.of(1)),
            "mode", List.of(ParameterValue.of("cooperative")),
            "swapAB", List.of(ParameterValue.of(0)),
            "tileN", Stream.of(64, 128, 256).map(ParameterValue::of).toList(),
            "tileK", List.of(ParameterValue.of(64)),
            "splitK", List.of(ParameterValue.of(1)),
            "rasterOrder", List.of(ParameterValue.of("alongM")));

    private static final GpuConstants GPU = SimulatedGpus.named("h200");

    private static RangedProblem ranged(String text) {
        ShapeRange range = ShapeRange.parse(text);
        return new RangedProblem(range, Problem.of(range.at(range.least()), DataType.BF16));
    }

    @Test
    void sharesTheRangeAndSaysWhatItLoses() {
        RangedProblem problem = ranged("40-2600x712x648");
        CostModel model = CostModel.of(GPU);

        RangePredictions table = RangePredictions.of(new Sm90GemmSpace(), problem, GPU, FEW, 5, 3);

        assertThat(table.kind()).isEqualTo("simulated");
        assertThat(table.problem()).isEqualTo("40-2600x712x648 bf16");
        List<Span> kernels = table.kernels();
        assertThat(kernels.getFirst().from()).isEqualTo(40);
        assertThat(kernels.getLast().to()).isEqualTo(2600);
        for (int i = 1; i < kernels.size(); i++) {
            assertThat(kernels.get(i).from()).isEqualTo(kernels.get(i - 1).to() + 1);
        }
        assertThat(kernels.stream().map(Span::config).distinct()).hasSizeBetween(2, 5);
        assertThat(kernels).allSatisfy(span -> {
            assertThat(span.usFrom())
                    .isEqualTo(model.settled(problem.at(span.from()), span.config())
                                    .ns()
                            / 1e3);
            assertThat(span.usTo())
                    .isEqualTo(
                            model.settled(problem.at(span.to()), span.config()).ns() / 1e3);
        });
        assertThat(table.drawn()).isTrue();
        assertThat(table.regret().checks()).hasSize(16).allSatisfy(check -> {
            Span span = kernels.stream()
                    .filter(each -> check.m() <= each.to())
                    .findFirst()
                    .orElseThrow();
            assertThat(check.us())
                    .isEqualTo(
                            model.settled(problem.at(check.m()), span.config()).ns() / 1e3);
            assertThat(check.fastestUs()).isLessThanOrEqualTo(check.us());
        });
        assertThat(table.regret()).isEqualTo(Regret.of(table.regret().checks()));
        assertThat(table.regret().median()).isLessThan(0.1);
    }

    /** Tiles of 128 rows are in the space of many rows alone. */
    @Test
    void aValueNeedNotBeThereForEachRow() {
        Map<String, List<ParameterValue>> high = new HashMap<>(FEW);
        high.put("tileM", List.of(ParameterValue.of(128)));

        RangePredictions table = RangePredictions.of(new Sm90GemmSpace(), ranged("1-300x712x648"), GPU, high, 8, 1);

        assertThat(table.kernels())
                .isNotEmpty()
                .allSatisfy(span -> assertThat(span.config().whole("tileM")).isEqualTo(128));
        high.put("tileM", List.of(ParameterValue.of(7)));
        assertThatThrownBy(() -> RangePredictions.of(new Sm90GemmSpace(), ranged("1-300x712x648"), GPU, high, 8, 1))
                .hasMessageStartingWith("with M = 300: parameter 'tileM' has no value 7; known: ");
    }

    @Test
    void aRangeOfFewRowsIsCheckedAtThoseThatWereSearched() {
        RangePredictions table = RangePredictions.of(new Sm90GemmSpace(), ranged("1-3x712x648"), GPU, FEW, 8, 1);

        assertThat(table.drawn()).isFalse();
        assertThat(table.regret().checks()).extracting(Regret.Check::m).containsExactly(1, 2, 3);
    }

    @Test
    void refusesWhatTheFamilyDoes() {
        assertThatThrownBy(() -> RangePredictions.of(new Sm90GemmSpace(), ranged("1-2147483647x64x64"), GPU, FEW, 8, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2147483647");
        assertThatThrownBy(() -> RangePredictions.of(new Sm90GemmSpace(), ranged("1-64x711x648"), GPU, FEW, 8, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("711");
    }
}
