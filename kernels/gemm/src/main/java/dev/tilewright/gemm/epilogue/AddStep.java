package dev.tilewright.gemm.epilogue;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.ptx.CodeBuilder;
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
import java.util.Set;

/**
 * Adds elements of a buffer: of a vector along M or N, or of a row-major matrix of the shape of D. Two that lie beside
 * each other along N, whose extent is even, are read at once. Beyond the extents nothing is read; what is computed
 * there is not stored.
 *
 * @param along the dimensions that its elements differ along: both of C
 * @param factor of the elements
 */
record AddStep(DataType type, Set<Major> along, double factor) implements EpilogueStep {

    static AddStep bias(DataType type, Major along) {
        return new AddStep(type, Set.of(along), 1);
    }

    static AddStep c(DataType type, double factor) {
        return new AddStep(type, Set.of(Major.M, Major.N), factor);
    }

    /** Offsets of an element from the first of a fragment; 0 along a dimension that it does not differ in. */
    private record Offset(int m, int n) {
        Offset right() {
            return new Offset(m, n + 1);
        }
    }

    @Override
    public List<Reg<F32>> apply(CodeBuilder b, Fragment fragment, Output output) {
        Elements source = new Elements(
                along.size() == 1 ? output.bias(b) : output.c(b),
                axis(b, Major.M, fragment.m(), output),
                axis(b, Major.N, fragment.n(), output));
        List<Offset> offsets = new ArrayList<>();
        for (int value = 0; value < fragment.values().size(); value++) {
            offsets.add(new Offset(
                    along.contains(Major.M) ? fragment.m().offset().applyAsInt(value) : 0,
                    along.contains(Major.N) ? fragment.n().offset().applyAsInt(value) : 0));
        }
        Map<Offset, Reg<F32>> elements = new HashMap<>();
        List<Reg<F32>> sums = new ArrayList<>();
        for (int value = 0; value < offsets.size(); value++) {
            Offset offset = offsets.get(value);
            if (!elements.containsKey(offset)) {
                boolean pair = offset.n() % 2 == 0 && offsets.contains(offset.right());
                List<Reg<F32>> read = read(b, source, offset, pair ? 2 : 1);
                elements.put(offset, read.getFirst());
                if (pair) {
                    elements.put(offset.right(), read.getLast());
                }
            }
            Reg<F32> element = elements.get(offset);
            Reg<F32> sum = fragment.values().get(value);
            sums.add(factor == 1 ? b.fadd(sum, element) : b.fma(element, b.mov(Immediate.f32((float) factor)), sum));
        }
        return sums;
    }

    /** A dimension that elements differ along: the coordinate of a fragment's first value, and the extent. */
    private record Axis(Reg<B32> first, Reg<B32> extent) {}

    private record Elements(Reg<B64> start, Optional<Axis> m, Optional<Axis> n) {}

    private Optional<Axis> axis(CodeBuilder b, Major dimension, Fragment.Line line, Output output) {
        return along.contains(dimension)
                ? Optional.of(new Axis(line.first().apply(b), output.extent(b, dimension)))
                : Optional.empty();
    }

    private List<Reg<F32>> read(CodeBuilder b, Elements source, Offset offset, int count) {
        Optional<Reg<B32>> row = source.m().map(axis -> plus(b, axis.first(), offset.m()));
        Optional<Reg<B32>> column = source.n().map(axis -> plus(b, axis.first(), offset.n()));
        List<Reg<Pred>> inside = new ArrayList<>();
        row.ifPresent(at -> inside.add(b.lt(at, source.m().orElseThrow().extent())));
        column.ifPresent(at -> inside.add(b.lt(at, source.n().orElseThrow().extent())));
        Reg<Pred> reads = inside.stream().reduce(b::andPred).orElseThrow();
        Reg<B64> line = row.isPresent() && column.isPresent()
                ? b.madWide(row.get(), b.mulLo(source.n().orElseThrow().extent(), type.bytes()), source.start())
                : source.start();
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
