package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * Values of D that a thread holds, and where each of them lies in D.
 *
 * @param m their rows
 * @param n their columns
 */
public record Fragment(List<Reg<F32>> values, Line m, Line n) {

    /**
     * Coordinates of the values along one dimension.
     *
     * @param first computes the least of them
     * @param offset of the coordinate of a value, by its index, from the first
     */
    public record Line(Function<CodeBuilder, Reg<B32>> first, IntUnaryOperator offset) {}

    public Fragment {
        values = List.copyOf(values);
    }

    /** The same places with other values. */
    Fragment with(List<Reg<F32>> others) {
        return new Fragment(others, m, n);
    }
}
