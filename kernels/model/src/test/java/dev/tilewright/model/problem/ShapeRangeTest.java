package dev.tilewright.model.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A range of M as users write it. */
class ShapeRangeTest {

    @Test
    void isReadAndWritten() {
        ShapeRange range = ShapeRange.parse("1-4096x1024x768");
        assertThat(range).isEqualTo(new ShapeRange(1, 4096, 1024, 768)).hasToString("1-4096x1024x768");
        assertThat(range.at(77)).isEqualTo(new ProblemShape(77, 1024, 768));
        assertThatThrownBy(() -> range.at(4097)).hasMessage("M must be from 1 to 4096, got 4097");
        assertThatThrownBy(() -> range.at(0)).hasMessage("M must be from 1 to 4096, got 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0-4x8x8           | the least M of a range must be at least 1, got 0",
                "8-2x8x8           | the least M of a range must be below the most, got 8-2",
                "5-5x8x8           | the least M of a range must be below the most, got 5-5",
                "1-99999999999x8x8 | an extent must be at most 2147483647, got 99999999999",
                "1-4x0x8           | n must be at least 1, got 0",
                "1-4x8x0           | k must be at least 1, got 0",
            })
    void isRefusedWithValueAndRule(String text, String message) {
        assertThat(ShapeRange.isMeant(text)).isTrue();
        assertThatThrownBy(() -> ShapeRange.parse(text)).hasMessage(message);
    }

    @Test
    void othersAreNotMeant() {
        assertThat(ShapeRange.isMeant("4x8x8")).isFalse();
        assertThat(ShapeRange.isMeant("1-4x8")).isFalse();
        assertThat(ShapeRange.isMeant("1-4x8x8+2x8x8")).isFalse();
        assertThatThrownBy(() -> ShapeRange.parse("4x8x8"))
                .hasMessage("a range of M is LEAST-MOSTxNxK, such as 1-4096x1024x768, got '4x8x8'");
    }

    @Test
    void rowsLieOneBehindTheOther() {
        Problem like = new Problem(
                List.of(new ProblemShape(8, 8, 8)),
                1,
                OperandTypes.of(DataType.BF16),
                new OperandMajors(Major.M, Major.K, Major.N),
                Scenario.QUIET);
        assertThatThrownBy(() -> new RangedProblem(ShapeRange.parse("3-9x16x24"), like))
                .hasMessage("a range of M needs A of major k and D of major n, got m and n");
    }

    @Test
    void aProblemOfItKeepsAllButTheRows() {
        Problem like = Problem.of(new ProblemShape(9, 8, 8), DataType.F16).with(Epilogue.parse("relu"));
        Problem of = new RangedProblem(ShapeRange.parse("3-9x16x24"), like).at(5);
        assertThat(of)
                .isEqualTo(Problem.of(new ProblemShape(5, 16, 24), DataType.F16).with(Epilogue.parse("relu")));
    }
}
