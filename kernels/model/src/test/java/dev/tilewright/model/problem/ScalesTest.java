package dev.tilewright.model.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.exchange.ProblemDocument;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScalesTest {

    private static final ProblemShape SHAPE = new ProblemShape(134, 264, 400);
    private static final OperandTypes EIGHT_BITS = new OperandTypes(DataType.E4M3, DataType.E5M2, DataType.BF16);
    private static final Problem TENSOR =
            new Problem(List.of(SHAPE), 1, EIGHT_BITS, OperandMajors.DEFAULT, Scenario.QUIET);

    @ParameterizedTest
    @EnumSource
    void theTextIsReadAndWritten(Scales scales) {
        assertThat(Scales.parse(scales.toString())).isEqualTo(scales);
    }

    @Test
    void whatIsNoKindOfScalesIsRefusedWithTheText() {
        assertThatThrownBy(() -> Scales.parse("rows")).hasMessage("unknown scales 'rows'; known: tensor, row, block");
    }

    @Test
    void onlyInputsOf8BitsHaveThem() {
        Problem plain = Problem.of(SHAPE, DataType.BF16);
        assertThat(plain.with(Scales.TENSOR)).isEqualTo(plain);
        assertThatThrownBy(() -> plain.with(Scales.ROW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("scales = row: only inputs of 8 bits, e4m3 and e5m2, have scales, got a = bf16, b = bf16");
    }

    @Test
    void peopleReadThemBehindTheTypes() {
        Problem ended = TENSOR.with(Scales.ROW).with(Epilogue.parse("bias"));
        assertThat(ProblemDocument.of(ended)).hasToString("134x264x400 e4m3,e5m2,bf16 scales row + bias");
        assertThat(ProblemDocument.of(TENSOR)).hasToString("134x264x400 e4m3,e5m2,bf16");
    }

    /** They are the first step, and no text of an epilogue has it. */
    @Test
    void scalesOfRowsComeAheadOfAllSteps() {
        Problem ended = TENSOR.with(Scales.ROW).with(Epilogue.parse("bias,relu"));
        assertThat(ended.steps().ops()).startsWith(new EpilogueOp.RowScales()).hasSize(3);
        assertThat(ended.epilogue()).hasToString("bias,relu");
        assertThat(TENSOR.steps()).isEqualTo(Epilogue.NONE);
        assertThat(TENSOR.with(Scales.BLOCK).steps()).isEqualTo(Epilogue.NONE);
        assertThatThrownBy(() -> Epilogue.parse(ended.steps().toString())).hasMessageStartingWith("unknown step");
    }

    @Test
    void aVectorHasANumberForEachRow() {
        assertThat(Scales.ROW.elements(OperandRole.A, SHAPE)).isEqualTo(134);
        assertThat(Scales.ROW.elements(OperandRole.B, SHAPE)).isEqualTo(264);
        assertThat(TENSOR.with(Scales.ROW).bytes()).isEqualTo(TENSOR.bytes() + 4 * (134 + 264));
    }

    @Test
    void anElementHasItsScaleByItsRowAndItsBlocks() {
        assertThat(Scales.ROW.index(OperandRole.B, SHAPE, 200, 399)).isEqualTo(200);
        assertThat(Scales.BLOCK.index(OperandRole.A, SHAPE, 133, 127)).isEqualTo(133);
        assertThat(Scales.BLOCK.index(OperandRole.A, SHAPE, 5, 256)).isEqualTo(2 * 136 + 5);
        assertThat(Scales.BLOCK.index(OperandRole.B, SHAPE, 263, 399)).isEqualTo(2 * 4 + 3);
        assertThatThrownBy(() -> Scales.TENSOR.index(OperandRole.A, SHAPE, 0, 0))
                .hasMessage("the scale of a tensor lies in no buffer");
    }

    /** Lines of A along M, of B along K; each has as many floats as fill 16 bytes. */
    @Test
    void blocksHaveLinesOfWholeVectors() {
        assertThat(Scales.BLOCK.extent(OperandRole.A, SHAPE)).isEqualTo(134);
        assertThat(Scales.BLOCK.pitch(OperandRole.A, SHAPE)).isEqualTo(136);
        assertThat(Scales.BLOCK.lines(OperandRole.A, SHAPE)).isEqualTo(4);
        assertThat(Scales.BLOCK.extent(OperandRole.B, SHAPE)).isEqualTo(4);
        assertThat(Scales.BLOCK.pitch(OperandRole.B, new ProblemShape(1, 264, 520)))
                .isEqualTo(8);
        assertThat(Scales.BLOCK.lines(OperandRole.B, SHAPE)).isEqualTo(3);
        assertThat(TENSOR.with(Scales.BLOCK).bytes()).isEqualTo(TENSOR.bytes() + 4 * (4 * 136 + 3 * 4));
    }
}
