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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Reads elements of a buffer beside the values of a fragment: of a vector along M or N, or of a row-major matrix of the
 * shape of D. Two that lie beside each other along N, whose extent is even, are read at once. Beyond the extents
 * nothing is read; what is computed there is not stored.
 *
 * @param along the dimensions that its elements differ along: both of a matrix
 */
record ElementReader(DataType type, Set<Major> along) {

    /** Offsets of an element from the first of a fragment; 0 along a dimension that it does not differ in. */
    private record Offset(int m, int n) {
        Offset right() {
            return new Offset(m, n + 1);
        }
    }

    /** A dimension that elements differ along: the coordinate of a fragment's first value, and the extent. */
    private record Axis(Reg<B32> first, Reg<B32> extent) {}

    /** Finds the elements beside a fragment; each is read when it is first asked for. */
    Elements beside(CodeBuilder b, Fragment fragment, Output output, Reg<B64> start) {
        List<Offset> offsets = new ArrayList<>();
        for (int value = 0; value < fragment.values().size(); value++) {
            offsets.add(new Offset(
                    along.contains(Major.M) ? fragment.m().offset().applyAsInt(value) : 0,
                    along.contains(Major.N) ? fragment.n().offset().applyAsInt(value) : 0));
        }
        return new Elements(
                start, axis(b, Major.M, fragment.m(), output), axis(b, Major.N, fragment.n(), output), offsets);
    }

    private Optional<Axis> axis(CodeBuilder b, Major dimension, Fragment.Line line, Output output) {
        return along.contains(dimension)
                ? Optional.of(new Axis(line.first().apply(b), output.extent(b, dimension)))
                : Optional.empty();
    }

    /** The elements beside the values of a fragment. */
    final class Elements {

        private final Reg<B64> start;
        private final Optional<Axis> m;
        private final Optional<Axis> n;
        private final List<Offset> offsets;
        private final Map<Offset, Reg<F32>> known = new HashMap<>();

        private Elements(Reg<B64> start, Optional<Axis> m, Optional<Axis> n, List<Offset> offsets) {
            this.start = start;
            this.m = m;
            this.n = n;
            this.offsets = offsets;
        }

        /** The element beside a value, by its index. */
        Reg<F32> of(CodeBuilder b, int value) {
            Offset offset = offsets.get(value);
            if (!known.containsKey(offset)) {
                boolean pair = offset.n() % 2 == 0 && offsets.contains(offset.right());
                List<Reg<F32>> read = read(b, offset, pair ? 2 : 1);
                known.put(offset, read.getFirst());
                if (pair) {
                    known.put(offset.right(), read.getLast());
                }
            }
            return Objects.requireNonNull(known.get(offset));
        }

        private List<Reg<F32>> read(CodeBuilder b, Offset offset, int count) {
            Optional<Reg<B32>> row = m.map(axis -> plus(b, axis.first(), offset.m()));
            Optional<Reg<B32>> column = n.map(axis -> plus(b, axis.first(), offset.n()));
            List<Reg<Pred>> inside = new ArrayList<>();
            row.ifPresent(at -> inside.add(b.lt(at, m.orElseThrow().extent())));
            column.ifPresent(at -> inside.add(b.lt(at, n.orElseThrow().extent())));
            Reg<Pred> reads = inside.stream().reduce(b::andPred).orElseThrow();
            Reg<B64> line = row.isPresent() && column.isPresent()
                    ? b.madWide(row.get(), b.mulLo(n.orElseThrow().extent(), type.bytes()), start)
                    : start;
            Reg<B64> at = b.madWide(column.or(() -> row).orElseThrow(), type.bytes(), line);
            return elements(b, GlobalAddress.of(at), reads, count);
        }
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
            case E4M3, E5M2 -> throw new IllegalArgumentException("an epilogue reads bf16, f16 or f32, got " + type);
        };
    }
}
