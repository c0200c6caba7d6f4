package dev.tilewright.gemm.oracle;

import dev.tilewright.gemm.oracle.ReferenceOperand.Source;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedDecl;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * D[M,N] = A[M,K] * B[N,K]^T and S[M,N] = |A| * |B|^T, both f32; every sum runs over k in order, by fma.rn.f32 on the
 * ordinary cores: it shares nothing with the kernels it judges. Any M, N, K of at least 1. A and B are packed, by rows
 * if K-major, otherwise by columns.
 *
 * <p>A CTA of 256 threads computes a 128x128 tile in steps of 16 in k. Shared memory holds two buffers of A and B as
 * f32, k-major ([k][row], 128 rows); while one is multiplied the next is loaded. Each thread owns 8x8 elements: rows
 * 4*(t/16) + 0..3 and those + 64, columns 4*(t%16) + 0..3 and those + 64.
 *
 * <p>With scales of blocks each element is multiplied with its own as it is read, which rounds it by at most 2^-24 of
 * itself. Scales of rows are for the steps behind the sums.
 *
 * <p>Parameters: a, b (pointers), d, s (pointers to f32), m, n, k (u32); with scales of blocks then scale_a (pointer to
 * f32), pitch_a (u32, floats from one line of scales to the next), scale_b and pitch_b.
 */
public final class ReferenceGemmKernel {
    public static final String ENTRY = "reference_gemm";

    static final int TILE = 128;
    private static final int STEP = 16;
    private static final int THREADS = 256;
    /** Bytes of one operand in one buffer. */
    private static final int OPERAND_BYTES = TILE * STEP * 4;

    private static final int BUFFER_BYTES = 2 * OPERAND_BYTES;

    private ReferenceGemmKernel() {}

    /** Of the types and layouts of A and B, without scales of blocks. */
    public static PtxModule build(OperandTypes types, OperandMajors majors) {
        return build(types, majors, false);
    }

    /**
     * Of the types and layouts of A and B; one module for all that agree in these.
     *
     * @param blocks whether A and B have scales of blocks
     */
    public static PtxModule build(OperandTypes types, OperandMajors majors, boolean blocks) {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry(
                        ENTRY,
                        e -> entry(
                                e,
                                new ReferenceOperand(types.a(), majors.a() == Major.K),
                                new ReferenceOperand(types.b(), majors.b() == Major.K),
                                blocks)));
    }

    /**
     * Scales of blocks on the device.
     *
     * @param a address of those of A, of which {@code pitchA} floats are a line
     */
    public record BlockScales(long a, long b, int pitchA, int pitchB) {}

    /** The launch for one problem with scales of blocks. */
    public static OracleLaunch launch(long a, long b, long d, long s, int m, int n, int k, BlockScales scales) {
        OracleLaunch plain = launch(a, b, d, s, m, n, k);
        List<Number> arguments = new ArrayList<>(plain.arguments());
        arguments.addAll(List.of(scales.a, scales.pitchA, scales.b, scales.pitchB));
        return new OracleLaunch(plain.entry(), plain.gridX(), plain.threads(), arguments);
    }

    /** The launch for one problem: one CTA for each 128x128 tile. */
    public static OracleLaunch launch(long a, long b, long d, long s, int m, int n, int k) {
        int tiles = Math.multiplyExact(Math.ceilDiv(m, TILE), Math.ceilDiv(n, TILE));
        return new OracleLaunch(ENTRY, tiles, THREADS, List.of(a, b, d, s, m, n, k));
    }

    /** Start of the scales of an operand, and the floats from one line of them to the next. */
    private record ScaleParams(Param scales, Param pitch) {

        static Optional<ScaleParams> declare(EntryBuilder e, boolean blocks, String operand) {
            return blocks
                    ? Optional.of(new ScaleParams(e.pointer("scale" + operand), e.u32("pitch" + operand)))
                    : Optional.empty();
        }

        ReferenceScale scale(CodeBuilder c, OperandRole role, Reg<B32> row, Reg<Pred> inRange) {
            return new ReferenceScale(role, c.globalPointer(scales), row, inRange, c.param32(pitch), c.f32());
        }
    }

    private static void entry(EntryBuilder e, ReferenceOperand operandA, ReferenceOperand operandB, boolean blocks) {
        Param a = e.pointer("a");
        Param b = e.pointer("b");
        Param d = e.pointer("d");
        Param s = e.pointer("s");
        Param m = e.u32("m");
        Param n = e.u32("n");
        Param k = e.u32("k");
        Optional<ScaleParams> ofA = ScaleParams.declare(e, blocks, "_a");
        Optional<ScaleParams> ofB = ScaleParams.declare(e, blocks, "_b");
        e.launchBounds(THREADS, 1);
        SharedDecl buffers = e.staticShared("buffers", 2 * BUFFER_BYTES, 16);
        e.code(c -> {
            Reg<B32> rows = c.param32(m);
            Reg<B32> columns = c.param32(n);
            Reg<B32> depth = c.param32(k);
            Reg<B32> shared = c.addressOf(buffers);
            Reg<B32> tid = c.special(SpecialRegister.TID_X);
            Reg<B32> tile = c.special(SpecialRegister.CTAID_X);
            // Tiles along M are neighbours, so that CTAs that run together share a column of B.
            Reg<B32> tilesM = c.shr(c.add(rows, TILE - 1), 7);
            Reg<B32> firstRow = c.shl(c.rem(tile, tilesM), 7);
            Reg<B32> firstColumn = c.shl(c.div(tile, tilesM), 7);

            Reg<B32> fetchRow = c.and(tid, TILE - 1);
            Reg<B32> fetchK = c.shl(c.shr(tid, 7), 3);
            Source sourceA = operandA.source(c, c.globalPointer(a), c.add(firstRow, fetchRow), rows, depth, "fetchA");
            Source sourceB =
                    operandB.source(c, c.globalPointer(b), c.add(firstColumn, fetchRow), columns, depth, "fetchB");
            Optional<ReferenceScale> scaleA =
                    ofA.map(given -> given.scale(c, OperandRole.A, c.add(firstRow, fetchRow), sourceA.inRange()));
            Optional<ReferenceScale> scaleB =
                    ofB.map(given -> given.scale(c, OperandRole.B, c.add(firstColumn, fetchRow), sourceB.inRange()));
            Reg<Pred> vector = c.eq(c.and(depth, ReferenceOperand.FETCH - 1), 0);
            Reg<B32> stash = c.mad(fetchK, TILE * 4, c.mad(fetchRow, 4, shared));

            Reg<B32> tx = c.and(tid, 15);
            Reg<B32> ty = c.shr(tid, 4);
            Reg<B32> readA = c.mad(ty, 16, shared);
            Reg<B32> readB = c.mad(tx, 16, shared);
            List<Reg<F32>> sum = c.f32Array("sum", 64);
            List<Reg<F32>> absolute = c.f32Array("absolute", 64);
            sum.forEach(register -> c.mov(register, Immediate.f32(0)));
            absolute.forEach(register -> c.mov(register, Immediate.f32(0)));

            Reg<B32> k0 = c.b32("k0");
            c.mov(k0, fetchK);
            operandA.fetch(c, sourceA, k0, depth, vector);
            operandB.fetch(c, sourceB, k0, depth, vector);
            scaleA.ifPresent(of -> of.fetch(c, k0, depth));
            scaleB.ifPresent(of -> of.fetch(c, k0, depth));
            operandA.stash(c, sourceA, stash, 0, scaleA);
            operandB.stash(c, sourceB, stash, OPERAND_BYTES, scaleB);
            c.syncThreads();
            c.forRange("steps", Immediate.b32(0), depth, STEP, (l, step) -> {
                l.add(k0, k0, STEP);
                // Behind the end of K this fetches zeros, which nobody multiplies.
                operandA.fetch(l, sourceA, k0, depth, vector);
                operandB.fetch(l, sourceB, k0, depth, vector);
                scaleA.ifPresent(of -> of.fetch(l, k0, depth));
                scaleB.ifPresent(of -> of.fetch(l, k0, depth));
                multiply(l, readA, readB, sum, absolute);
                l.xor(stash, stash, BUFFER_BYTES);
                operandA.stash(l, sourceA, stash, 0, scaleA);
                operandB.stash(l, sourceB, stash, OPERAND_BYTES, scaleB);
                l.syncThreads();
                l.xor(readA, readA, BUFFER_BYTES);
                l.xor(readB, readB, BUFFER_BYTES);
            });

            Reg<B32> row = c.mad(ty, 4, firstRow);
            Reg<B32> column = c.mad(tx, 4, firstColumn);
            store(c, c.globalPointer(d), sum, row, column, rows, columns);
            store(c, c.globalPointer(s), absolute, row, column, rows, columns);
            c.ret();
        });
    }

    private static void multiply(
            CodeBuilder c, Reg<B32> readA, Reg<B32> readB, List<Reg<F32>> sum, List<Reg<F32>> absolute) {
        for (int k = 0; k < STEP; k++) {
            List<Reg<F32>> a = eight(c, readA, k * TILE * 4);
            List<Reg<F32>> b = eight(c, readB, OPERAND_BYTES + k * TILE * 4);
            List<Reg<F32>> absoluteA = a.stream().map(c::fabs).toList();
            List<Reg<F32>> absoluteB = b.stream().map(c::fabs).toList();
            for (int i = 0; i < 8; i++) {
                for (int j = 0; j < 8; j++) {
                    Reg<F32> d = sum.get(8 * i + j);
                    Reg<F32> s = absolute.get(8 * i + j);
                    c.fma(d, a.get(i), b.get(j), d);
                    c.fma(s, absoluteA.get(i), absoluteB.get(j), s);
                }
            }
        }
    }

    /** A thread's 8 values of one k: 4, and 4 more 64 rows on. */
    private static List<Reg<F32>> eight(CodeBuilder c, Reg<B32> at, int offset) {
        List<Reg<F32>> values = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            values.add(c.f32());
        }
        c.ldVector(ScalarType.F32, values.subList(0, 4), new SharedAddress(at, offset));
        c.ldVector(ScalarType.F32, values.subList(4, 8), new SharedAddress(at, offset + TILE / 2 * 4));
        return values;
    }

    private static void store(
            CodeBuilder c,
            Reg<B64> base,
            List<Reg<F32>> values,
            Reg<B32> row,
            Reg<B32> column,
            Reg<B32> rows,
            Reg<B32> columns) {
        Reg<Pred> vector = c.eq(c.and(columns, 3), 0);
        for (int i = 0; i < 8; i++) {
            Reg<B32> y = c.add(row, i < 4 ? i : TILE / 2 - 4 + i);
            Reg<B64> line = c.madWide(y, c.shl(columns, 2), base);
            Reg<Pred> inRow = c.lt(y, rows);
            for (int half = 0; half < 2; half++) {
                Reg<B32> x = c.add(column, half * TILE / 2);
                GlobalAddress at = GlobalAddress.of(c.madWide(x, 4, line));
                List<Reg<F32>> four = values.subList(8 * i + 4 * half, 8 * i + 4 * half + 4);
                c.ifThenElse(
                        vector,
                        v -> v.guarded(v.andPred(inRow, v.lt(x, columns)), g -> g.stVector(ScalarType.F32, at, four)),
                        scalar -> {
                            for (int j = 0; j < 4; j++) {
                                Reg<F32> value = four.get(j);
                                GlobalAddress one = at.plus(4 * j);
                                Reg<Pred> inside = scalar.andPred(inRow, scalar.lt(scalar.add(x, j), columns));
                                scalar.guarded(inside, g -> g.stF32(one, value));
                            }
                        });
            }
        }
    }
}
