package dev.tilewright.emulator.matrix;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.ptx.type.Element;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * D = A * B (+ C) by one warpgroup: a bulk copy brings the image of shared memory, one wgmma for each step along k
 * follows.
 *
 * @param a layout of A, whose rows are 64
 * @param b layout of B
 * @param accumulator type of C and D
 * @param fragments whether A comes from registers
 * @param add whether C is added
 */
record WgmmaCase(
        SharedLayout a,
        SharedLayout b,
        Element accumulator,
        boolean saturate,
        boolean fragments,
        boolean negateA,
        boolean negateB,
        boolean add) {
    private static final int THREADS = 128;

    int n() {
        return b.rows();
    }

    private int k() {
        return 256 / a.type().bits();
    }

    private int steps() {
        return a.depth() / k();
    }

    private int registers() {
        return n() * accumulator.bits() / 64;
    }

    private int startB() {
        return a.bytes() + 1024;
    }

    private int image() {
        return startB() + b.bytes() + 1024;
    }

    /** Runs it on integers; the message of the first element that is wrong, or nothing. */
    String firstWrong(SplittableRandom random, int offset, long seed) {
        int[][] matrixA = Elements.random(random, a.type(), 64, a.depth());
        int[][] matrixB = Elements.random(random, b.type(), n(), b.depth());
        int[][] matrixC = new int[64][n()];
        for (int[] row : matrixC) {
            for (int i = 0; i < n(); i++) {
                row[i] = random.nextInt(-9, 10) + offset;
            }
        }
        ByteBuffer memory = buffer(image());
        a.fill(memory, 128 * a.shift(), matrixA);
        b.fill(memory, startB() + 128 * b.shift(), matrixB);
        RunEnd.Completed verdict = PtxText.of(
                        text(),
                        THREADS,
                        Buffer.of("image", memory.array()),
                        Buffer.of("a", fragmentsOf(matrixA).array()),
                        Buffer.of("c", accumulators(matrixC).array()),
                        Buffer.of("d", new byte[THREADS * registers() * 4]))
                .completed(seed);
        ByteBuffer d = ByteBuffer.wrap(verdict.buffer("d")).order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0; row < 64; row++) {
            for (int column = 0; column < n(); column++) {
                double got = Elements.get(d, offset(row, column), accumulator);
                double expected = expected(matrixA[row], matrixB[column], matrixC[row][column]);
                if (got != expected) {
                    return "(" + row + ", " + column + ") is " + got + ", not " + expected + " in " + this;
                }
            }
        }
        return "";
    }

    private double expected(int[] x, int[] y, int c) {
        long sum = add ? c : 0;
        for (int k = 0; k < x.length; k++) {
            long product = (long) x[k] * y[k];
            sum += negateA != negateB ? -product : product;
            boolean ends = (k + 1) % k() == 0;
            if (ends && accumulator == Element.S32) {
                sum = saturate ? Math.clamp(sum, Integer.MIN_VALUE, Integer.MAX_VALUE) : (int) sum;
            }
        }
        return sum;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Byte of an accumulator in a buffer of all registers of all threads; figures 145 to 153 of PTX. */
    private int offset(int row, int column) {
        int thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
        int element = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
        int size = accumulator.bits() / 8;
        return thread * registers() * 4 + element * size;
    }

    private ByteBuffer accumulators(int[][] c) {
        ByteBuffer all = buffer(THREADS * registers() * 4);
        for (int row = 0; row < 64; row++) {
            for (int column = 0; column < n(); column++) {
                Elements.put(all, offset(row, column), accumulator, c[row][column]);
            }
        }
        return all;
    }

    /** Four words for each step and thread: rows and rows + 8, for the lower and the upper half of k. */
    private ByteBuffer fragmentsOf(int[][] matrix) {
        ByteBuffer all = buffer(THREADS * 16 * steps());
        int perWord = 32 / a.type().bits();
        for (int row = 0; row < 64; row++) {
            for (int k = 0; k < a.depth(); k++) {
                int within = k % k();
                int half = within / (k() / 2);
                int thread = row / 16 * 32 + row % 8 * 4 + within % (k() / 2) / perWord;
                int register = row % 16 / 8 + 2 * half;
                int at = (k / k() * THREADS + thread) * 16 + register * 4;
                Elements.put(all, at + within % perWord * a.type().bits() / 8, a.type(), matrix[row][k]);
            }
        }
        return all;
    }

    private String text() {
        String type = accumulator == Element.F32 ? "f32" : "b32";
        List<String> d = IntStream.range(0, registers()).mapToObj(i -> "d" + i).toList();
        StringBuilder text = new StringBuilder("""
                .reg .b32 t, base, bar, row, r, x<4>;
                .reg .pred p, q;
                .reg .b64 in, frag, c, out, wide, start, da, db;
                .reg .%s d<%d>;
                mov.u32 t, %%tid.x;
                mov.u32 base, smem;
                add.u32 bar, base, %d;
                ld.param.u64 in, [p0];
                ld.param.u64 frag, [p1];
                ld.param.u64 c, [p2];
                ld.param.u64 out, [p3];
                setp.ne.u32 p, t, 0;
                @p bra READY;
                mbarrier.init.shared::cta.b64 [bar], 1;
                fence.mbarrier_init.release.cluster;
                mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], %d;
                cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [base], [in], %d, [bar];
                READY: bar.sync 0;
                WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [bar], 0;
                @!p bra WAIT;
                mad.wide.u32 c, t, %d, c;
                mad.wide.u32 out, t, %d, out;
                mad.wide.u32 frag, t, 16, frag;
                setp.%s.u32 q, t, t;
                """.formatted(
                type, registers(), image(), image(), image(), registers() * 4, registers() * 4, add ? "eq" : "ne"));
        for (int i = 0; i < registers(); i++) {
            text.append("ld.global.")
                    .append(type)
                    .append(" d")
                    .append(i)
                    .append(", [c+")
                    .append(4 * i)
                    .append("];\n");
        }
        for (int step = 0; step < steps(); step++) {
            descriptor(text, "da", 128 * a.shift() + step * a.step(), a.descriptor());
            descriptor(text, "db", startB() + 128 * b.shift() + step * b.step(), b.descriptor());
            for (int i = 0; fragments && i < 4; i++) {
                text.append("ld.global.b32 x%d, [frag+%d];\n".formatted(i, step * THREADS * 16 + 4 * i));
            }
            text.append("wgmma.fence.sync.aligned;\n")
                    .append(instruction(d, step == 0))
                    .append("""
                wgmma.commit_group.sync.aligned;
                wgmma.wait_group.sync.aligned 0;
                """);
        }
        for (int i = 0; i < registers(); i++) {
            text.append("st.global.")
                    .append(type)
                    .append(" [out+")
                    .append(4 * i)
                    .append("], d")
                    .append(i)
                    .append(";\n");
        }
        return text.toString();
    }

    private static void descriptor(StringBuilder text, String name, int offset, long bits) {
        text.append("""
                add.u32 r, base, %d;
                and.b32 r, r, 0x3FFFF;
                shr.u32 r, r, 4;
                cvt.u64.u32 start, r;
                or.b64 %s, start, 0x%x;
                """.formatted(offset, name, bits));
    }

    private String instruction(List<String> d, boolean first) {
        String operands = d.stream().collect(Collectors.joining(", ", "{", "}")) + ", "
                + (fragments ? "{x0, x1, x2, x3}" : "da") + ", db, " + (first ? "q" : "1");
        if (accumulator != Element.S32) {
            operands += ", " + (negateA ? -1 : 1) + ", " + (negateB ? -1 : 1);
        }
        if (a.type().bits() == 16) {
            operands += (fragments ? "" : ", " + (a.transposed() ? 1 : 0)) + ", " + (b.transposed() ? 1 : 0);
        }
        return "wgmma.mma_async.sync.aligned.m64n%dk%d%s.%s.%s.%s %s;\n"
                .formatted(
                        n(),
                        k(),
                        saturate ? ".satfinite" : "",
                        accumulator.ptx(),
                        a.type().ptx(),
                        b.type().ptx(),
                        operands);
    }
}
