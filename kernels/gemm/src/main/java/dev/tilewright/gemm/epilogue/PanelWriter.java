package dev.tilewright.gemm.epilogue;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the accumulators of a warpgroup into a panel of 64 rows, in the type of D. A row has 32, 64 or 128 bytes, and
 * its 16-byte chunks are exchanged as the swizzle of that span does it: by row mod 8 over 128 bytes, by half the row
 * mod 4 over 64, by a quarter of the row mod 2 over 32.
 */
sealed interface PanelWriter permits HalfPanelWriter, FloatPanelWriter, TransposedPanelWriter {

    /** Bytes that the swizzle moves as one. */
    int CHUNK_BYTES = 16;

    /** Bytes over which every bank serves once. */
    int LINE_BYTES = 128;

    /**
     * Writes a panel, or a narrower one in the rows of a whole one.
     *
     * @param accumulators of one thread, in the order of wgmma: pairs at columns 8 * i + 2 * (lane mod 4), for row lane
     *     / 4 and for 8 rows below
     * @param buffer offset of the panel
     */
    void write(CodeBuilder b, List<Reg<F32>> accumulators, int buffer);

    /**
     * The writer of a type.
     *
     * @param columns of a whole panel
     * @param base start of the dynamic shared memory, shifted to the panels of this warpgroup
     * @param threadInWarpgroup 0..127
     */
    static PanelWriter of(CodeBuilder b, DataType type, int columns, Reg<B32> base, Reg<B32> threadInWarpgroup) {
        return switch (type) {
            case BF16, F16 -> HalfPanelWriter.of(b, pair(type), columns, base, threadInWarpgroup);
            case F32 -> FloatPanelWriter.of(b, columns, base, threadInWarpgroup);
            case E4M3, E5M2 ->
                throw new IllegalArgumentException("an output is stored as bf16, f16 or f32, got " + type);
        };
    }

    /** Pairs of neighbouring accumulators, each in the type of two elements. */
    static List<Reg<B32>> packed(CodeBuilder b, ScalarType pair, List<Reg<F32>> accumulators) {
        List<Reg<B32>> packed = new ArrayList<>();
        for (int first = 0; first < accumulators.size(); first += 2) {
            Reg<B32> both = b.b32();
            b.cvtPair(pair, both, accumulators.get(first), accumulators.get(first + 1));
            packed.add(both);
        }
        return packed;
    }

    /** Two elements of a type of 16 bits. */
    static ScalarType pair(DataType type) {
        return switch (type) {
            case BF16 -> ScalarType.BF16X2;
            case F16 -> ScalarType.F16X2;
            case F32, E4M3, E5M2 -> throw new IllegalArgumentException("elements of 16 bits go in pairs, got " + type);
        };
    }

    /**
     * The number by which the chunks of a row are exchanged.
     *
     * @param row any number that is the row's modulo 8
     * @param pitch bytes of a row of the panel
     */
    static Reg<B32> exchange(CodeBuilder b, Reg<B32> row, int pitch) {
        int rowsOfALine = Integer.numberOfTrailingZeros(LINE_BYTES / pitch);
        return b.and(rowsOfALine == 0 ? row : b.shr(row, rowsOfALine), pitch / CHUNK_BYTES - 1L);
    }
}
