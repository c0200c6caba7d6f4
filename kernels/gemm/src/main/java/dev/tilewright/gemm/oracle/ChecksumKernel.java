package dev.tilewright.gemm.oracle;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A sum over a buffer by which one sees that it was written to: for each word of 32 bits a hash of its place and
 * content, and behind the last whole word for each byte. The order of summing does not matter.
 *
 * <p>Parameters: buffer (pointer, 4-byte aligned), words (u64), result (pointer to a u64, to which the sum is added),
 * rest (u32, bytes behind the words). The host puts 0 there first.
 */
public final class ChecksumKernel {
    public static final String ENTRY = "checksum";

    private static final int THREADS = 256;

    private ChecksumKernel() {}

    public static PtxModule build() {
        return PtxModule.build(Target.SM_90A, m -> m.entry(ENTRY, ChecksumKernel::entry));
    }

    /** The launch for {@code bytes} at an address. */
    public static OracleLaunch launch(long buffer, long bytes, long result, int sms) {
        long words = bytes / Integer.BYTES;
        return new OracleLaunch(
                ENTRY,
                OracleLaunch.strideGrid(Math.max(1, words), THREADS, sms),
                THREADS,
                List.of(buffer, words, result, (int) (bytes % Integer.BYTES)));
    }

    /** The same sum on the host. */
    public static long of(byte[] content) {
        ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        int words = content.length / Integer.BYTES;
        long sum = 0;
        for (int i = 0; i < words; i++) {
            sum += hash(i, bytes.getInt(Integer.BYTES * i));
        }
        for (int i = 0; i < content.length % Integer.BYTES; i++) {
            sum += hash(words + i, content[Integer.BYTES * words + i] & 0xFF);
        }
        return sum;
    }

    /** The checksum of so many bytes of a pattern of 32 bits. */
    public static long ofPattern(int pattern, long bytes) {
        long words = bytes / Integer.BYTES;
        long sum = 0;
        for (long i = 0; i < words; i++) {
            sum += hash(i, pattern);
        }
        for (int i = 0; i < bytes % Integer.BYTES; i++) {
            sum += hash(words + i, pattern >>> 8 * i & 0xFF);
        }
        return sum;
    }

    private static long hash(long place, int word) {
        long z = (place + 1) * FillKernel.GOLDEN ^ Integer.toUnsignedLong(word);
        z = (z ^ z >>> 30) * FillKernel.MIX_1;
        z = (z ^ z >>> 27) * FillKernel.MIX_2;
        return z ^ z >>> 31;
    }

    private static void entry(EntryBuilder e) {
        Param buffer = e.pointer("buffer");
        Param words = e.u64("words");
        Param result = e.pointer("result");
        Param rest = e.u32("rest");
        e.launchBounds(THREADS, 0);
        e.code(b -> {
            Reg<B64> base = b.globalPointer(buffer);
            Reg<B64> count = b.param64(words);
            Reg<B64> sum = b.b64("sum");
            b.mov(sum, 0);
            Reg<B64> thread = GridStride.threadIndex(b);
            GridStride.forEach(b, "words", count, (l, i) -> {
                Reg<B32> word = l.ld32(GlobalAddress.of(l.mad(i, Integer.BYTES, base)));
                l.add(sum, sum, hash(l, i, word));
            });
            b.ifThen(b.lt(thread, b.widen(b.param32(rest))), t -> {
                Reg<B64> at = t.add(t.mad(count, Integer.BYTES, base), thread);
                Reg<B32> last = t.b32();
                t.ld(ScalarType.U8, last, GlobalAddress.of(at));
                t.add(sum, sum, hash(t, t.add(count, thread), last));
            });
            GlobalAddress total = GlobalAddress.of(b.globalPointer(result));
            // One atomic for each warp: nearly every thread has a sum.
            for (int lanes = 16; lanes > 0; lanes /= 2) {
                b.add(sum, sum, fromLane(b, sum, lanes));
            }
            b.guarded(
                    b.elect(),
                    g -> g.red(Ordering.relaxed(Scope.GPU), AtomicOperation.ADD, ScalarType.U64, total, sum));
            b.ret();
        });
    }

    /** The value of another lane of the warp. */
    private static Reg<B64> fromLane(CodeBuilder b, Reg<B64> value, int mask) {
        Reg<B32> low = b.b32();
        Reg<B32> high = b.b32();
        b.unpack(low, high, value);
        return b.pack(b.shflXor(low, mask), b.shflXor(high, mask));
    }

    private static Reg<B64> hash(CodeBuilder b, Reg<B64> place, Reg<B32> word) {
        Reg<B64> z = b.xor(b.mulLo(b.add(place, 1), FillKernel.GOLDEN), b.widen(word));
        z = b.mulLo(b.xor(z, b.shr(z, 30)), FillKernel.MIX_1);
        z = b.mulLo(b.xor(z, b.shr(z, 27)), FillKernel.MIX_2);
        return b.xor(z, b.shr(z, 31));
    }
}
