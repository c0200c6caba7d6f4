package dev.tilewright.model.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemTest {

    @Test
    void shapesAreReadAndWritten() {
        assertThat(ProblemShape.parse("2048x1024x768")).isEqualTo(new ProblemShape(2048, 1024, 768));
        assertThat(new ProblemShape(1, 22, 333)).hasToString("1x22x333");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "12", "1x2", "1x2x3x4", "ax2x3", "-1x2x3", "1 x2x3"})
    void whatIsNoShapeIsRefusedWithTheText(String text) {
        assertThatThrownBy(() -> ProblemShape.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a shape is MxNxK, such as 2048x1024x768, got '" + text + "'");
    }

    @Test
    void extentsHaveARange() {
        assertThatThrownBy(() -> ProblemShape.parse("1x0x3")).hasMessage("n must be at least 1, got 0");
        assertThatThrownBy(() -> ProblemShape.parse("1x9999999999x3"))
                .hasMessage("an extent must be at most 2147483647, got '1x9999999999x3'");
    }

    @Test
    void aRateCountsTwoOperationsForEachProductOfEveryGroupAndBatch() {
        Problem problem = new Problem(
                List.of(new ProblemShape(1000, 10, 5), new ProblemShape(1000, 10, 15)),
                3,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
        assertThat(problem.flops()).isEqualTo(2.0 * 1000 * 10 * 20 * 3);
        assertThat(problem.tflops(1200)).isEqualTo(1.2e6 / 1200 / 1e3);
    }

    /** Launches that overlap are another question: the scenario tells the problems apart. */
    @Test
    void aScenarioIsPartOfTheProblem() {
        Problem quiet = Problem.of(new ProblemShape(300, 136, 72), DataType.BF16);
        Problem overlapped = quiet.beside(new Scenario(16).overlapping());
        assertThat(overlapped).isNotEqualTo(quiet.beside(new Scenario(16)));
        assertThat(overlapped.scenario().withAllSms()).isEqualTo(Scenario.QUIET.overlapping());
        assertThat(Scenario.of(null, null)).isEqualTo(Scenario.QUIET);
        assertThat(Scenario.of(null, true)).isEqualTo(Scenario.QUIET.overlapping());
        assertThatThrownBy(() -> Scenario.of(-1, null)).hasMessage("busySms must be at least 0, got -1");
    }

    @Test
    void anOperandHasOnlyItsOwnDimensions() {
        assertThatThrownBy(() -> new OperandMajors(Major.N, Major.K, Major.N))
                .hasMessage("major.a must be k or m: A is M x K, got n");
        assertThatThrownBy(() -> DataType.parse("bf17"))
                .hasMessageStartingWith("unknown data type 'bf17'; known: bf16, f16");
    }
}
