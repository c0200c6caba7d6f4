package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.Optional;

/**
 * How the reference reads one operand: each thread fetches 8 elements along K of one row as they are, and writes them
 * into shared memory as f32. Threads of a warp have neighbouring rows: of K-major operands each reads its own 8 to 32
 * bytes, of the others all together read whole lines.
 *
 * @param kMajor whether neighbours along K are neighbours in memory
 */
record ReferenceOperand(DataType type, boolean kMajor) {

    /** Elements a thread fetches for each step. */
    static final int FETCH = 8;

    /** Words of the longest load. */
    private static final int VECTOR_WORDS = 4;

    /** Bytes of a row of k in shared memory. */
    private static final int LINE = ReferenceGemmKernel.TILE * 4;

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
                : c.madWide(row, type.bytes() == 1 ? depth : c.shl(depth, type.bytes() / 2), base);
        return new Source(first, c.lt(row, rows), c.b32Array(words, FETCH * type.bytes() / 4), rows);
    }

    /** Index of an element among those that are fetched. */
    private interface Place {
        GlobalAddress of(CodeBuilder c, int index);
    }

    /** Elements k0 .. k0+7 of the row, zeros outside; all at once where {@code vector} says that rows are aligned. */
    void fetch(CodeBuilder c, Source source, Reg<B32> k0, Reg<B32> depth, Reg<Pred> vector) {
        source.words.forEach(word -> c.mov(word, 0));
        if (!kMajor) {
            Reg<B64> first = c.mad(c.mulWide(k0, source.pitch), type.bytes(), source.row);
            singly(
                    c,
                    source,
                    k0,
                    depth,
                    (b, index) -> GlobalAddress.of(b.madWide(source.pitch, type.bytes() * index, first)));
            return;
        }
        Reg<B64> at = c.madWide(k0, type.bytes(), source.row);
        Reg<Pred> some = c.andPred(source.inRange, c.lt(k0, depth));
        c.ifThenElse(
                vector,
                v -> v.guarded(some, g -> all(g, source, at)),
                scalar -> singly(scalar, source, k0, depth, (_, index) -> new GlobalAddress(at, type.bytes() * index)));
    }

    private static void all(CodeBuilder c, Source source, Reg<B64> at) {
        for (int word = 0; word < source.words.size(); word += VECTOR_WORDS) {
            List<Reg<B32>> words = source.words.subList(word, Math.min(word + VECTOR_WORDS, source.words.size()));
            c.ldVector(ScalarType.B32, words, new GlobalAddress(at, word * Integer.BYTES));
        }
    }

    private void singly(CodeBuilder c, Source source, Reg<B32> k0, Reg<B32> depth, Place place) {
        int perWord = Integer.BYTES / type.bytes();
        for (int word = 0; word < source.words.size(); word++) {
            Reg<B32> target = source.words.get(word);
            int first = word * perWord;
            switch (type.bytes()) {
                case 2 -> {
                    Reg<B16> low = half(c, source, place.of(c, first), k0, depth, first);
                    Reg<B16> high = half(c, source, place.of(c, first + 1), k0, depth, first + 1);
                    c.mov(target, c.pack16(low, high));
                }
                case 4 -> {
                    GlobalAddress at = place.of(c, first);
                    c.guarded(inside(c, source, k0, depth, first), g -> g.ld(ScalarType.B32, target, at));
                }
                default -> {
                    for (int i = 0; i < perWord; i++) {
                        Reg<B32> element = c.b32();
                        c.mov(element, 0);
                        GlobalAddress at = place.of(c, first + i);
                        c.guarded(inside(c, source, k0, depth, first + i), g -> g.ld(ScalarType.U8, element, at));
                        c.or(target, target, c.shl(element, 8 * i));
                    }
                }
            }
        }
    }

    private static Reg<Pred> inside(CodeBuilder c, Source source, Reg<B32> k0, Reg<B32> depth, int index) {
        return c.andPred(source.inRange, c.lt(c.add(k0, index), depth));
    }

    private static Reg<B16> half(
            CodeBuilder c, Source source, GlobalAddress at, Reg<B32> k0, Reg<B32> depth, int index) {
        Reg<B16> value = c.b16();
        c.mov(value, 0);
        c.guarded(inside(c, source, k0, depth, index), g -> g.ld(ScalarType.B16, value, at));
        return value;
    }

    /**
     * Writes the fetched elements as f32 into 8 rows of k; a warp writes 32 neighbours, free of bank conflicts.
     *
     * @param scale that they are multiplied with
     */
    void stash(CodeBuilder c, Source source, Reg<B32> at, int operand, Optional<ReferenceScale> scale) {
        int perWord = 4 / type.bytes();
        for (int i = 0; i < FETCH; i++) {
            Reg<B32> word = source.words.get(i / perWord);
            Reg<B32> element = bits(c, word, i % perWord);
            Reg<B32> scaled = scale.map(of -> c.bitsOf(c.fmul(c.floatOf(element), of.value())))
                    .orElse(element);
            c.st32(new SharedAddress(at, operand + i * LINE), scaled);
        }
    }

    /** The bits of an element of a word as f32. */
    private Reg<B32> bits(CodeBuilder c, Reg<B32> word, int index) {
        return switch (type) {
            case BF16 -> index == 0 ? c.shl(word, 16) : c.and(word, 0xFFFF0000L);
            case F16 -> c.bitsOf(c.floatOfF16(c.narrow16(index == 0 ? word : c.shr(word, 16))));
            case E4M3 -> ofEight(c, Element.E4M3, word, index);
            case E5M2 -> ofEight(c, Element.E5M2, word, index);
            case F32 -> word;
        };
    }

    /** Two neighbours are made f16, of which the lower is the element. */
    private static Reg<B32> ofEight(CodeBuilder c, Element type, Reg<B32> word, int index) {
        Reg<B16> pair = c.narrow16(index == 0 ? word : c.shr(word, 8 * index));
        return c.bitsOf(c.floatOfF16(c.narrow16(c.halvesOfFp8(type, pair))));
    }
}
