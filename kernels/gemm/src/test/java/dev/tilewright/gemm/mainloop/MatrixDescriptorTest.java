package dev.tilewright.gemm.mainloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.space.operand.OperandTile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The descriptors find every element where the boxes of the tensor copies put it. Both are spelt out here before the
 * swizzle, which the copy and the multiplication apply alike: boxes by how a copy fills shared memory, line by line;
 * descriptors by the strides of PTX 9.7.15.5.1.2.
 */
class MatrixDescriptorTest {

    private static final int UNIT = 16;
    private static final int MMA_ROWS = 64;

    private static OperandTile tile(Major major, int rows, int depth, int elementBytes, int span) {
        OperandRole role = major == Major.N ? OperandRole.B : OperandRole.A;
        DataType element = elementBytes == 1 ? DataType.E4M3 : DataType.BF16;
        return new OperandTile(role, element, major, rows, depth, span, 1);
    }

    /** Byte of element (row, k) in the tile: its panel, its line in there, its place in the line. */
    private static int copied(OperandTile tile, int row, int k) {
        int along = tile.kMajor() ? k : row;
        int line = tile.kMajor() ? row : k;
        int lines = tile.kMajor() ? tile.rows() : tile.depth();
        int inLine = tile.span() / tile.element().bytes();
        return along / inLine * lines * tile.span()
                + line * tile.span()
                + along % inLine * tile.element().bytes();
    }

    /** Byte of element (row, k) of the 64 rows and 32 bytes of K that begin at a start address. */
    private static int described(OperandTile tile, int start, int row, int k) {
        MatrixDescriptor operand = new MatrixDescriptor(tile);
        int stride = (operand.wgmmaHighWord() & 0x3FFF) * UNIT;
        int leading = operand.leading() * UNIT;
        if (!operand.transposed()) {
            return start
                    + row / 8 * stride
                    + row % 8 * tile.span()
                    + k * tile.element().bytes();
        }
        int along = row * tile.element().bytes();
        return start + along / tile.span() * leading + k / 8 * stride + k % 8 * tile.span() + along % tile.span();
    }

    @ParameterizedTest
    @CsvSource({
        "K, 128, 64, 2, 128",
        "K, 192, 32, 2, 64",
        "K, 256, 128, 1, 128",
        "K, 64, 64, 1, 64",
        "M, 64, 64, 2, 128",
        "M, 192, 32, 2, 64",
        "M, 256, 48, 2, 128",
        "N, 128, 16, 2, 64",
        "N, 320, 128, 2, 128"
    })
    void descriptorsFindWhatCopiesWrote(Major major, int rows, int depth, int elementBytes, int span) {
        OperandTile tile = tile(major, rows, depth, elementBytes, span);
        MatrixDescriptor operand = new MatrixDescriptor(tile);
        int mmaK = 32 / elementBytes;
        for (int row = 0; row < rows; row++) {
            for (int k = 0; k < depth; k++) {
                int block = row / MMA_ROWS * MMA_ROWS;
                int start = (operand.alongRows(block) + operand.alongK(k / mmaK)) * UNIT;
                assertThat(described(tile, start, row - block, k % mmaK))
                        .as("row " + row + ", k " + k)
                        .isEqualTo(copied(tile, row, k));
            }
        }
    }

    /** The part of the rows that a CTA of a cluster loads lies where its own boxes would put it. */
    @ParameterizedTest
    @CsvSource({"K, 128, 64, 2, 128, 8", "M, 256, 64, 2, 128, 64", "N, 192, 32, 2, 64, 32"})
    void partsOfTheRowsBeginAtTheirStep(Major major, int rows, int depth, int elementBytes, int span, int part) {
        OperandTile tile = tile(major, rows, depth, elementBytes, span);
        for (int row = 0; row < rows; row += part) {
            assertThat(row * tile.rowStep()).isEqualTo(copied(tile, row, 0));
        }
    }

    /** Patterns of 8 lines begin at multiples of their size, so that the base offset is 0. */
    @ParameterizedTest
    @CsvSource({"M, 64, 16, 2, 128", "M, 96, 48, 2, 64", "N, 192, 80, 2, 128", "K, 72, 64, 1, 64", "K, 8, 64, 2, 128"})
    void everyPanelIsWholePatterns(Major major, int rows, int depth, int elementBytes, int span) {
        OperandTile tile = tile(major, rows, depth, elementBytes, span);
        assertThat(tile.panelBytes() % (8 * span)).isZero();
        assertThat(tile.bytes() % (8 * span)).isZero();
    }

    /** The words of the reference in hexadecimal: SBO 1024 and swizzle 128; LBO one panel of 64 lines of 128 bytes. */
    @Test
    void wordsAreThoseOfTheManual() {
        MatrixDescriptor kMajor = new MatrixDescriptor(tile(Major.K, 128, 64, 2, 128));
        assertThat(kMajor.wgmmaHighWord()).isEqualTo(0x4000_0040);
        assertThat(kMajor.leading()).isEqualTo(1);
        assertThat(kMajor.alongK(1)).isEqualTo(2);
        MatrixDescriptor transposed = new MatrixDescriptor(tile(Major.N, 256, 64, 2, 128));
        assertThat(transposed.wgmmaHighWord()).isEqualTo(0x4000_0040);
        assertThat(transposed.leading()).isEqualTo(512);
        assertThat(transposed.alongK(1)).isEqualTo(128);
        assertThat(new MatrixDescriptor(tile(Major.M, 128, 32, 2, 64)).wgmmaHighWord())
                .isEqualTo(0x8000_0020);
    }

    /** tcgen05 has the same fields, 1 in bits 46 to 48, and 6 as the code of 32 bytes in bits 61 to 63. */
    @Test
    void wordsOfTcgen05AreThoseOfTheManual() {
        assertThat(new MatrixDescriptor(tile(Major.K, 128, 64, 2, 128)).tcgen05HighWord())
                .isEqualTo(2 << 29 | 1 << 14 | 0x40);
        assertThat(new MatrixDescriptor(tile(Major.K, 128, 32, 2, 64)).tcgen05HighWord())
                .isEqualTo(4 << 29 | 1 << 14 | 0x20);
        assertThat(new MatrixDescriptor(tile(Major.K, 128, 16, 2, 32)).tcgen05HighWord())
                .isEqualTo(6 << 29 | 1 << 14 | 0x10);
    }

    @Test
    void wgmmaRefusesThirtyTwoBytes() {
        assertThatThrownBy(() -> new MatrixDescriptor(tile(Major.K, 128, 16, 2, 32)).wgmmaHighWord())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("wgmma's operands are swizzled over 64 or 128 bytes, got 32");
    }

    @Test
    void refusesPartsOfSpans() {
        assertThatThrownBy(() -> tile(Major.N, 176, 64, 2, 128))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an operand's 176 elements of 2 bytes along n must be whole spans of 128 bytes");
    }
}
