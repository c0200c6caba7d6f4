package dev.tilewright.worker.gpu.sums;

import dev.tilewright.gemm.oracle.OracleLaunch;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.instruction.Wgmma.MatrixA;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import java.util.List;
import java.util.stream.Stream;

/**
 * D = A * B + C by one wgmma of 64 x 8 x 32 bytes for each CTA. A comes from registers, and B from shared memory
 * without a swizzle: 8 columns of 16 bytes, and 128 bytes behind them the other halves.
 */
final class SumKernel {

    private static final String ENTRY = "sums";
    private static final int THREADS = 128;
    private static final int ROW_BYTES = SumInputs.ROW_BYTES;
    private static final int HALF_BYTES = 128;
    private static final int BYTES_OF_B = 2 * HALF_BYTES;
    /** Between the halves of B, in units of 16 bytes; a field of a descriptor. */
    private static final int HALF = HALF_BYTES / 16;

    private SumKernel() {}

    static PtxModule build(SumInputs.Pair pair) {
        return PtxModule.build(Target.SM_90A, m -> m.entry(ENTRY, e -> entry(e, pair)));
    }

    /** The launch over all tiles. */
    static OracleLaunch launch(long a, long b, long c, long d) {
        return new OracleLaunch(ENTRY, SumInputs.TILES, THREADS, BYTES_OF_B, List.of(a, b, c, d));
    }

    private static void entry(EntryBuilder e, SumInputs.Pair pair) {
        Param a = e.pointer("a");
        Param b = e.pointer("b");
        Param c = e.pointer("c");
        Param d = e.pointer("d");
        SharedRegion columns = e.shared("columns", BYTES_OF_B, HALF_BYTES);
        e.launchBounds(THREADS, 0);
        e.code(code -> {
            Reg<B32> thread = code.special(SpecialRegister.TID_X);
            Reg<B32> tile = code.special(SpecialRegister.CTAID_X);
            loadB(code, columns, code.madWide(tile, BYTES_OF_B, code.globalPointer(b)), thread);
            code.fenceProxyAsyncShared();
            code.syncThreads();
            // Of a warp 16 rows: those of lane / 4, and 8 below.
            Reg<B32> row = code.mad(code.shr(thread, 5), 16, code.and(code.shr(thread, 2), 7));
            Reg<B32> first = code.mad(tile, SumInputs.ROWS, row);
            Reg<B32> inRow = code.and(thread, 3);
            Reg<B32> ofA = code.mad(first, ROW_BYTES, code.shl(inRow, 2));
            List<Reg<B32>> fragment = Stream.of(0, 8 * ROW_BYTES, ROW_BYTES / 2, 8 * ROW_BYTES + ROW_BYTES / 2)
                    .map(offset -> code.ld32(GlobalAddress.of(code.madWide(ofA, 1, code.globalPointer(a)))
                            .plus(offset)))
                    .toList();
            Reg<B32> ofC = code.mad(first, ROW_BYTES, code.shl(inRow, 3));
            List<Integer> offsets = List.of(0, Float.BYTES, 8 * ROW_BYTES, 8 * ROW_BYTES + Float.BYTES);
            GlobalAddress in = GlobalAddress.of(code.madWide(ofC, 1, code.globalPointer(c)));
            List<Reg<F32>> sums =
                    offsets.stream().map(offset -> code.ldF32(in.plus(offset))).toList();
            code.wgmmaFence();
            code.with(multiply(pair, sums, fragment, descriptor(code, columns)));
            code.wgmmaCommitGroup();
            code.wgmmaWaitGroup(0);
            GlobalAddress out = GlobalAddress.of(code.madWide(ofC, 1, code.globalPointer(d)));
            for (int i = 0; i < sums.size(); i++) {
                code.stF32(out.plus(offsets.get(i)), sums.get(i));
            }
            code.ret();
        });
    }

    /** A word for each thread of the first two warps. */
    private static void loadB(CodeBuilder code, SharedRegion columns, Reg<B64> from, Reg<B32> thread) {
        code.ifThen(code.lt(thread, BYTES_OF_B / Integer.BYTES), t -> {
            Reg<B32> word = t.ld32(GlobalAddress.of(t.madWide(thread, Integer.BYTES, from)));
            Reg<B32> inHalf = t.mad(t.shr(thread, 3), 16, t.shl(t.and(thread, 3), 2));
            t.st32(columns.at(t, t.mad(t.and(t.shr(thread, 2), 1), HALF_BYTES, inHalf)), word);
        });
    }

    private static Reg<B64> descriptor(CodeBuilder code, SharedRegion columns) {
        Reg<B32> start = code.shr(code.and(columns.pointer(code, 0), 0x3FFFF), 4);
        return code.pack(code.or(start, HALF << 16), Immediate.b32(HALF));
    }

    private static Wgmma.MmaAsync multiply(
            SumInputs.Pair pair, List<Reg<F32>> sums, List<Reg<B32>> a, Reg<B64> descriptorB) {
        return new Wgmma.MmaAsync(
                SumInputs.COLUMNS,
                Element.F32,
                pair.a(),
                pair.b(),
                false,
                List.copyOf(sums),
                new MatrixA.Fragment(a),
                descriptorB,
                new Wgmma.ScaleD.Fixed(true),
                false,
                false,
                false);
    }
}
