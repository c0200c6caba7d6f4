package dev.tilewright.emulator.async;

import dev.tilewright.emulator.hazard.Unwritten;
import dev.tilewright.emulator.warp.Warp;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the accumulators that a wgmma leaves undefined: those of a row of A or a column of B with an element that was
 * never written, and those that were undefined before it added to them.
 */
final class UndefinedAccumulators {
    private static final int ROWS = 16;

    private UndefinedAccumulators() {}

    /**
     * A warp issues its part of a wgmma.
     *
     * @param fragments ids of the registers of A, or none
     */
    static void issued(Warp warp, MmaOperation operation, int[] fragments) {
        int[] d = operation.shape.d();
        UnwrittenRows a = operation.unwrittenA();
        UnwrittenRows b = operation.unwrittenB();
        boolean defined = !operation.accumulate || warp.isDefined(d);
        if (defined && warp.isDefined(fragments) && b.isEmpty() && (a == null || a.isEmpty())) {
            warp.defineAll(d);
            return;
        }
        int perWord = 32 / operation.shape.accumulator().bits();
        int rows = rows(warp, a, fragments);
        Unwritten source = source(warp, operation, fragments);
        for (int register = 0; register < d.length; register++) {
            int known = operation.accumulate ? ~warp.undefined(new int[] {d[register]}, -1) : -1;
            for (int element = register * perWord; element < (register + 1) * perWord; element++) {
                known &= ~lanes(rows, b, element);
            }
            warp.defineOnly(d[register], known, source);
        }
    }

    /** The rows of the warp's 16 in which A has no value, by bits. */
    private static int rows(Warp warp, @Nullable UnwrittenRows a, int[] fragments) {
        int rows = 0;
        for (int row = 0; row < ROWS && a != null; row++) {
            rows |= a.has(ROWS * (warp.index() % 4) + row) ? 1 << row : 0;
        }
        for (int i = 0; i < fragments.length; i++) {
            int lanes = warp.undefined(new int[] {fragments[i]}, -1);
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                rows |= 1 << Integer.numberOfTrailingZeros(rest) / 4 + 8 * (i & 1);
            }
        }
        return rows;
    }

    /** The lanes whose element, counted as in {@link MatrixUnit}, lies in such a row or such a column of B. */
    private static int lanes(int rows, UnwrittenRows b, int element) {
        int lanes = 0;
        for (int lane = 0; lane < Warp.LANES; lane++) {
            boolean none = (rows >>> lane / 4 + 8 * (element >> 1 & 1) & 1) != 0
                    || b.has(8 * (element >> 2) + 2 * (lane & 3) + (element & 1));
            lanes |= none ? 1 << lane : 0;
        }
        return lanes;
    }

    private static Unwritten source(Warp warp, MmaOperation operation, int[] fragments) {
        UnwrittenRows a = operation.unwrittenA();
        Unwritten read = a == null || a.isEmpty() ? operation.unwrittenB().first() : a.first();
        int[] registers = IntStream.concat(IntStream.of(fragments), IntStream.of(operation.shape.d()))
                .toArray();
        return read != null ? read : warp.sourceOf(registers, operation.toString());
    }
}
