package dev.tilewright.gemm.epilogue;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adds elements of a buffer: of a vector along M or N, or of a row-major matrix of the shape of D. Two that lie beside
 * each other along N are read at once. Beyond the extents nothing is read; what is computed there is not stored.
 *
 * @param base start of the buffer, as D aligned to 16 bytes
 * @param rows extent along M, if elements differ along it
 * @param columns extent along N, if elements differ along it: even
 * @param factor of the elements
 */
record AddStep(Param base, DataType type, Optional<Param> rows, Optional<Param> columns, double factor)
        implements EpilogueStep {

    /** Offsets of an element from the first of a fragment; 0 along a dimension that it does not differ in. */
    private record Place(int m, int n) {
        Place right() {
            return new Place(m, n + 1);
        }
    }

    @Override
    public List<Reg<F32>> apply(CodeBuilder b, Fragment fragment) {
        Reg<B64> start = b.globalPointer(base);
        Optional<Reg<B32>> m = rows.map(_ -> fragment.m().first().apply(b));
        Optional<Reg<B32>> n = columns.map(_ -> fragment.n().first().apply(b));
        List<Place> places = new ArrayList<>();
        for (int value = 0; value < fragment.values().size(); value++) {
            places.add(new Place(
                    rows.isPresent() ? fragment.m().offset().applyAsInt(value) : 0,
                    columns.isPresent() ? fragment.n().offset().applyAsInt(value) : 0));
        }
        Map<Place, Reg<F32>> elements = new HashMap<>();
        List<Reg<F32>> sums = new ArrayList<>();
        for (int value = 0; value < places.size(); value++) {
            Place place = places.get(value);
            if (!elements.containsKey(place)) {
                boolean pair = place.n() % 2 == 0 && places.contains(place.right());
                List<Reg<F32>> read = read(b, start, m, n, place, pair ? 2 : 1);
                elements.put(place, read.getFirst());
                if (pair) {
                    elements.put(place.right(), read.getLast());
                }
            }
            Reg<F32> element = elements.get(place);
            Reg<F32> sum = fragment.values().get(value);
            sums.add(factor == 1 ? b.fadd(sum, element) : b.fma(element, b.mov(Immediate.f32((float) factor)), sum));
        }
        return sums;
    }

    private List<Reg<F32>> read(
            CodeBuilder b, Reg<B64> start, Optional<Reg<B32>> m, Optional<Reg<B32>> n, Place place, int count) {
        Optional<Reg<B32>> row = m.map(first -> plus(b, first, place.m()));
        Optional<Reg<B32>> column = n.map(first -> plus(b, first, place.n()));
        List<Reg<Pred>> inside = new ArrayList<>();
        row.ifPresent(at -> inside.add(b.lt(at, b.param32(rows.orElseThrow()))));
        column.ifPresent(at -> inside.add(b.lt(at, b.param32(columns.orElseThrow()))));
        Reg<Pred> reads = inside.stream().reduce(b::andPred).orElseThrow();
        Reg<B64> line = row.isPresent() && column.isPresent()
                ? b.madWide(row.get(), b.mulLo(b.param32(columns.orElseThrow()), type.bytes()), start)
                : start;
        Reg<B64> at = b.madWide(column.or(() -> row).orElseThrow(), type.bytes(), line);
        return elements(b, GlobalAddress.of(at), reads, count);
    }

    private static Reg<B32> plus(CodeBuilder b, Reg<B32> first, int offset) {
        return offset == 0 ? first : b.add(first, offset);
    }

    private List<Reg<F32>> elements(CodeBuilder b, GlobalAddress at, Reg<Pred> reads, int count) {
        return switch (type) {
            case F32 -> {
                List<Reg<F32>> values = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    values.add(b.mov(Immediate.f32(0)));
                }
                b.guarded(reads, g -> g.ldVector(ScalarType.F32, values, at));
                yield values;
            }
            case BF16, F16 -> {
                List<Reg<B16>> halves = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    Reg<B16> half = b.b16();
                    b.mov(half, 0);
                    halves.add(half);
                }
                b.guarded(reads, g -> g.ldVector(ScalarType.B16, halves, at));
                yield halves.stream()
                        .map(half -> type == DataType.BF16 ? b.floatOfBf16(half) : b.floatOfF16(half))
                        .toList();
            }
            case E4M3, E5M2 ->
                throw new IllegalArgumentException("what an epilogue adds is bf16, f16 or f32, got " + type);
        };
    }
}
