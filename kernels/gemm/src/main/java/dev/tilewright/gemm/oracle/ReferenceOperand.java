package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Conversion.Fp8;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;

/**
 * How the reference reads one operand: each thread fetches 8 elements along K of one row as they are, and writes them
 * into shared memory as f32. Threads of a warp have neighbouring rows: of K-major operands each reads its own 8 or 16
 * bytes, of the others all together read whole lines.
 *
 * @param kMajor whether neighbours along K are neighbours in memory
 */
record ReferenceOperand(DataType type, boolean kMajor) {

    /** Elements a thread fetches for each step. */
    static final int FETCH = 8;

    /** Bytes of a row of k in shared memory. */
    private static final int LINE = ReferenceGemmKernel.TILE * 4;

    ReferenceOperand {
        if (type == DataType.F32) {
            throw new IllegalArgumentException("an input has 8 or 16 bits, got " + type);
        }
    }

    /**
     * Where a thread fetches from.
     *
     * @param row address of its first element, k = 0
     * @param pitch rows of the operand: elements from one k to the next if it is not K-major
     */
    record Source(Reg<B64> row, Reg<Pred> inRange, List<Reg<B32>> words, Reg<B32> pitch) {}

    Source source(CodeBuilder c, Reg<B64> base, Reg<B32> row, Reg<B32> rows, Reg<B32> depth, String words) {
        Reg<B64> first = !kMajor
                ? c.madWide(row, type.bytes(), base)
                : c.madWide(row, type.bytes() == 1 ? depth : c.shl(depth, 1), base);
        return new Source(first, c.lt(row, rows), c.b32Array(words, FETCH * type.bytes() / 4), rows);
    }

    /** Elements k0 .. k0+7 of the row, zeros outside; all at once where {@code vector} says that rows are aligned. */
    void fetch(CodeBuilder c, Source source, Reg<B32> k0, Reg<B32> depth, Reg<Pred> vector) {
        source.words.forEach(word -> c.mov(word, 0));
        if (!kMajor) {
            singly(c, source, c.mad(c.mulWide(k0, source.pitch), type.bytes(), source.row), k0, depth);
            return;
        }
        Reg<B64> at = c.madWide(k0, type.bytes(), source.row);
        Reg<Pred> some = c.andPred(source.inRange, c.lt(k0, depth));
        if (type.bytes() == 1) {
            c.guarded(some, g -> g.ldVector(ScalarType.B32, source.words, GlobalAddress.of(at)));
            return;
        }
        c.ifThenElse(
                vector,
                v -> v.guarded(some, g -> g.ldVector(ScalarType.B32, source.words, GlobalAddress.of(at))),
                scalar -> {
                    for (int word = 0; word < FETCH / 2; word++) {
                        Reg<B16> low = element(scalar, source, new GlobalAddress(at, 4 * word), k0, depth, 2 * word);
                        Reg<B16> high =
                                element(scalar, source, new GlobalAddress(at, 4 * word + 2), k0, depth, 2 * word + 1);
                        scalar.mov(source.words.get(word), scalar.pack16(low, high));
                    }
                });
    }

    /** Each from its own line; {@code at} is that of k0. */
    private void singly(CodeBuilder c, Source source, Reg<B64> at, Reg<B32> k0, Reg<B32> depth) {
        if (type.bytes() != 2) {
            throw new IllegalArgumentException("inputs of 8 bits are K-major, got " + type);
        }
        for (int word = 0; word < FETCH / 2; word++) {
            Reg<B16> low = line(c, source, at, k0, depth, 2 * word);
            Reg<B16> high = line(c, source, at, k0, depth, 2 * word + 1);
            c.mov(source.words.get(word), c.pack16(low, high));
        }
    }

    private static Reg<B16> line(CodeBuilder c, Source source, Reg<B64> at, Reg<B32> k0, Reg<B32> depth, int index) {
        GlobalAddress line = GlobalAddress.of(c.madWide(source.pitch, 2 * index, at));
        return element(c, source, line, k0, depth, index);
    }

    private static Reg<B16> element(
            CodeBuilder c, Source source, GlobalAddress at, Reg<B32> k0, Reg<B32> depth, int index) {
        Reg<B16> value = c.b16();
        c.mov(value, 0);
        Reg<Pred> inside = c.andPred(source.inRange, c.lt(c.add(k0, index), depth));
        c.guarded(inside, g -> g.ld(ScalarType.B16, value, at));
        return value;
    }

    /** Writes the fetched elements as f32 into 8 rows of k; a warp writes 32 neighbours, free of bank conflicts. */
    void stash(CodeBuilder c, Source source, Reg<B32> at, int operand) {
        int perWord = 4 / type.bytes();
        for (int i = 0; i < FETCH; i++) {
            Reg<B32> word = source.words.get(i / perWord);
            c.st32(new SharedAddress(at, operand + i * LINE), bits(c, word, i % perWord));
        }
    }

    /** The bits of an element of a word as f32. */
    private Reg<B32> bits(CodeBuilder c, Reg<B32> word, int index) {
        return switch (type) {
            case BF16 -> index == 0 ? c.shl(word, 16) : c.and(word, 0xFFFF0000L);
            case F16 -> c.bitsOf(c.floatOfF16(c.narrow16(index == 0 ? word : c.shr(word, 16))));
            case E4M3 -> ofEight(c, Fp8.E4M3, word, index);
            case E5M2 -> ofEight(c, Fp8.E5M2, word, index);
            case F32 -> throw new IllegalStateException("f32 was refused");
        };
    }

    /** Two neighbours are made f16, of which the lower is the element. */
    private static Reg<B32> ofEight(CodeBuilder c, Fp8 type, Reg<B32> word, int index) {
        Reg<B16> pair = c.narrow16(index == 0 ? word : c.shr(word, 8 * index));
        return c.bitsOf(c.floatOfF16(c.narrow16(c.halvesOfFp8(type, pair))));
    }
}
