package dev.tilewright.examples.step;

import dev.tilewright.gemm.pipeline.Pipeline;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.Optional;

/**
 * The stages of A and B in shared memory, a block of 64 along K in each: the rows of A, then the rows of B. A row is a
 * line of 128 bytes, swizzled as TMA writes it and tensor cores read it.
 *
 * @param rowsOfB rows of B in a stage; there are 128 of A
 */
public record Stages(Arguments arguments, SharedRegion region, int rowsOfB) {

    /** Bytes of a row of an operand. */
    public static final int LINE = 128;

    private static final int ALIGNMENT = 1024;
    private static final int BYTES_OF_A = Step.TILE * LINE;

    /** Declares the shared memory of so many stages. */
    public static Stages declare(EntryBuilder entry, Arguments arguments, int slots, int rowsOfB) {
        int bytes = BYTES_OF_A + rowsOfB * LINE;
        return new Stages(arguments, entry.shared("stages", slots * bytes, ALIGNMENT), rowsOfB);
    }

    /** Bytes of a stage. */
    public int bytes() {
        return BYTES_OF_A + rowsOfB * LINE;
    }

    /** The A of a stage. */
    public SharedAddress a(CodeBuilder b, Operand<B32> slot) {
        return region.element(b, slot, bytes());
    }

    /** The B of a stage. */
    public SharedAddress b(CodeBuilder b, Operand<B32> slot) {
        return a(b, slot).plus(BYTES_OF_A);
    }

    /** The address of a row of an operand. */
    public static SharedAddress row(CodeBuilder b, SharedAddress operand, Reg<B32> row) {
        return new SharedAddress(b.mad(row, LINE, operand.base()), operand.offset());
    }

    /**
     * Loads a block of K; one thread, when the stage is free. The bytes that are announced to {@code full} end its
     * phase when they have come.
     *
     * @param row first row of A
     * @param column first row of B
     */
    public void load(
            CodeBuilder b, Operand<B32> slot, Reg<B32> block, Reg<B32> row, Reg<B32> column, SharedAddress full) {
        Reg<B32> depth = b.mulLo(block, Step.DEPTH);
        b.mbarrierArriveExpectTx(full, bytes());
        b.tmaLoad(a(b, slot), b.tensorMap(arguments.a()), List.of(depth, row), full);
        b.tmaLoad(b(b, slot), b.tensorMap(arguments.b()), List.of(depth, column), full);
    }

    /**
     * Loads a block of K in a cluster whose CTAs share B: the A of this CTA, and its part of B into all CTAs, whose
     * barriers of the stage count the bytes. The stage must be free in all of them.
     *
     * @param part first row of the part in the tile of B
     * @param ranks mask of all CTAs
     */
    public void loadSharing(
            CodeBuilder b,
            Operand<B32> slot,
            Reg<B32> block,
            Reg<B32> row,
            Reg<B32> column,
            Reg<B32> part,
            int ranks,
            SharedAddress full) {
        Reg<B32> depth = b.mulLo(block, Step.DEPTH);
        b.mbarrierArriveExpectTx(full, bytes());
        b.tmaLoad(a(b, slot), b.tensorMap(arguments.a()), List.of(depth, row), full);
        b.tmaLoad(
                row(b, b(b, slot), part),
                b.tensorMap(arguments.b()),
                List.of(depth, b.add(column, part)),
                full,
                Optional.of(Immediate.b16(ranks)),
                Optional.empty());
    }

    /**
     * Waits until every stage is free; the thread that loads, when it has loaded all. Nothing arrives at the barriers
     * of the CTA afterwards, so that it may end.
     */
    public static void drain(CodeBuilder b, Pipeline loads, PipelineState state) {
        for (int slot = 0; slot < loads.slots(); slot++) {
            loads.producerAcquire(b, Ordering.DEFAULT, state);
            state.advance(b);
        }
    }
}
