package dev.tilewright.gemm.oracle;

import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Target;
import java.util.List;

/**
 * Fills a range with a 32-bit pattern, and counts the words of a range that differ from it: poison inside D, red zones
 * around it. Ranges begin and end on 4 bytes.
 *
 * <p>Parameters of poison_fill: range (u64, address), words (u64), pattern (u32). Of poison_check: the same, then
 * differing (u64, address of a u64 that is added to; zero it first).
 */
public final class PoisonKernel {
    public static final String FILL = "poison_fill";
    public static final String CHECK = "poison_check";
    /** Two poisoned bf16. */
    public static final int PATTERN = 0x7FFF7FFF;

    private static final int THREADS = 256;

    private PoisonKernel() {}

    public static PtxModule build() {
        return PtxModule.build(Target.SM_90A, m -> {
            m.entry(FILL, e -> {
                Param range = e.u64("range");
                Param words = e.u64("words");
                Param pattern = e.u32("pattern");
                e.launchBounds(THREADS, 0);
                e.code(b -> {
                    Reg<B64> base = b.toGlobal(b.param64(range));
                    Reg<B32> value = b.param32(pattern);
                    GridStride.forEach(
                            b, "words", b.param64(words), (l, i) -> l.st32(GlobalAddress.of(l.mad(i, 4, base)), value));
                    b.ret();
                });
            });
            m.entry(CHECK, e -> {
                Param range = e.u64("range");
                Param words = e.u64("words");
                Param pattern = e.u32("pattern");
                Param differing = e.u64("differing");
                e.launchBounds(THREADS, 0);
                e.code(b -> {
                    Reg<B64> base = b.toGlobal(b.param64(range));
                    Reg<B32> value = b.param32(pattern);
                    Reg<B64> found = b.b64("found");
                    b.mov(found, 0);
                    GridStride.forEach(b, "words", b.param64(words), (l, i) -> {
                        Reg<B32> word = l.ld32(GlobalAddress.of(l.mad(i, 4, base)));
                        l.guarded(l.ne(word, value), g -> g.add(found, found, 1));
                    });
                    GlobalAddress result = GlobalAddress.of(b.toGlobal(b.param64(differing)));
                    b.guarded(
                            b.ne(found, 0),
                            g -> g.red(
                                    Ordering.relaxed(Scope.GPU), AtomicOperation.ADD, ScalarType.U64, result, found));
                    b.ret();
                });
            });
        });
    }

    /** The launch that fills {@code bytes} bytes. */
    public static OracleLaunch fill(long range, long bytes, int pattern, int sms) {
        long words = words(bytes);
        return new OracleLaunch(
                FILL, OracleLaunch.strideGrid(words, THREADS, sms), THREADS, List.of(range, words, pattern));
    }

    /** The launch that counts the words that are not the pattern. */
    public static OracleLaunch check(long range, long bytes, int pattern, long differing, int sms) {
        long words = words(bytes);
        return new OracleLaunch(
                CHECK,
                OracleLaunch.strideGrid(words, THREADS, sms),
                THREADS,
                List.of(range, words, pattern, differing));
    }

    private static long words(long bytes) {
        if (bytes < 0 || bytes % 4 != 0) {
            throw new IllegalArgumentException("a range must be a multiple of 4 bytes, got " + bytes);
        }
        return bytes / 4;
    }
}
