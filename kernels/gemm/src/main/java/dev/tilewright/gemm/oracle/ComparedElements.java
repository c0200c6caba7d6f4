package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import java.util.ArrayList;
import java.util.List;

/** How the comparison reads elements of D: their bits, and what these mean. */
public enum ComparedElements {
    BF16(2),
    F16(2),
    F32(4);

    /** Two poisoned elements of 16 bits, or one of 32: a NaN that no kernel of ours stores. */
    public static final int POISON = 0x7FFF7FFF;

    /** Words of the longest load. */
    private static final int VECTOR_WORDS = 4;

    private final int bytes;

    ComparedElements(int bytes) {
        this.bytes = bytes;
    }

    /** @throws IllegalArgumentException if no result is stored in the type */
    static ComparedElements of(DataType type) {
        return switch (type) {
            case BF16 -> BF16;
            case F16 -> F16;
            case F32 -> F32;
            case E4M3, E5M2 ->
                throw new IllegalArgumentException("a result is compared in bf16, f16 or f32, got " + type);
        };
    }

    int bytes() {
        return bytes;
    }

    /** The bits of a poisoned element. */
    int poison() {
        return bytes == 2 ? POISON & 0xFFFF : POISON;
    }

    /** The words of one of the groups that a matrix has, of {@code elements} each, a multiple of 8. */
    List<Reg<B32>> load(CodeBuilder b, Reg<B64> base, Reg<B64> group, int elements) {
        List<Reg<B32>> words = new ArrayList<>();
        for (int word = 0; word < elements * bytes / Integer.BYTES; word++) {
            words.add(b.b32());
        }
        Reg<B64> at = b.mad(group, (long) bytes * elements, base);
        for (int word = 0; word < words.size(); word += VECTOR_WORDS) {
            b.ldVector(
                    ScalarType.B32,
                    words.subList(word, word + VECTOR_WORDS),
                    new GlobalAddress(at, word * Integer.BYTES));
        }
        return words;
    }

    /** The bits of one of them. */
    Reg<B32> bits(CodeBuilder b, List<Reg<B32>> words, int index) {
        if (bytes == 4) {
            return words.get(index);
        }
        Reg<B32> word = words.get(index / 2);
        return index % 2 == 0 ? b.and(word, 0xFFFF) : b.shr(word, 16);
    }

    /** The bits of an element that stands alone. */
    Reg<B32> loadOne(CodeBuilder b, Reg<B64> at) {
        if (bytes == 4) {
            return b.ld32(GlobalAddress.of(at));
        }
        Reg<B16> half = b.b16();
        b.ld(ScalarType.B16, half, GlobalAddress.of(at));
        return b.pack16(half, Immediate.b16(0));
    }

    /** The number that the bits stand for. */
    Reg<F32> value(CodeBuilder b, Reg<B32> bits) {
        return switch (this) {
            case BF16 -> b.floatOf(b.shl(bits, 16));
            case F16 -> b.floatOfF16(b.narrow16(bits));
            case F32 -> b.floatOf(bits);
        };
    }
}
