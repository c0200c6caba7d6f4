package dev.tilewright.emulator.async;

import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.number.ElementFormat;
import dev.tilewright.emulator.tensor.DenseProduct;
import dev.tilewright.emulator.tensor.HopperSums;
import dev.tilewright.emulator.warp.RunCounts;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.type.Element;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes wgmmas. The accumulators stay in a dense tile as long as one wgmma after the other takes the same registers
 * in the same way.
 */
final class MatrixUnit {
    private static final int M = 64;
    private static final int MAX_N = 256;
    private static final int MAX_K = 32;

    private final List<Warp> warps;
    private final SharedMemory shared;
    private final RunCounts tally;
    private final DenseProduct product = new DenseProduct(M, MAX_N, MAX_K);
    private final HopperSums sums = new HopperSums(MAX_N, MAX_K);

    MatrixUnit(List<Warp> warps, SharedMemory shared, RunCounts tally) {
        this.warps = warps;
        this.shared = shared;
        this.tally = tally;
    }

    void multiply(List<MmaOperation> batch) {
        @Nullable MmaShape held = null;
        for (MmaOperation operation : batch) {
            MmaShape shape = operation.shape;
            if (held == null || held.d() != shape.d() || !held.accumulatesLike(shape)) {
                if (held != null) {
                    scatter(held);
                }
                gather(shape);
            }
            held = shape;
            loadA(operation);
            loadB(operation);
            if (!operation.accumulate) {
                product.clear(shape.n());
            }
            shape.widths()
                    .ifPresentOrElse(
                            widths -> sums.multiplyAdd(product, shape.n(), shape.k(), widths),
                            () -> product.multiplyAdd(shape.n(), shape.k(), shape.accumulator(), shape.saturate()));
            tally.countMultiplyAdds((long) M * shape.n() * shape.k());
        }
        if (held != null) {
            scatter(held);
        }
    }

    private void loadA(MmaOperation operation) {
        MmaShape shape = operation.shape;
        int[][] fragments = operation.fragments;
        if (fragments == null) {
            shape.readerA().read(shared.data(), operation.descriptorA(), product.a(), 0, shape.k(), 1);
            return;
        }
        Element type = shape.typeA();
        int perWord = 32 / type.bits();
        for (int warp = 0; warp < fragments.length; warp++) {
            for (int i = 0; i < 4; i++) {
                for (int lane = 0; lane < Warp.LANES; lane++) {
                    int word = fragments[warp][i * Warp.LANES + lane];
                    int row = warp * 16 + lane / 4 + 8 * (i & 1);
                    int at = row * shape.k() + perWord * ((lane & 3) + 4 * (i >> 1));
                    for (int j = 0; j < perWord; j++) {
                        product.a()[at + j] = shape.signs().a() * ElementFormat.decode(type, word >>> j * type.bits());
                    }
                }
            }
        }
    }

    private void loadB(MmaOperation operation) {
        MmaShape shape = operation.shape;
        shape.readerB().read(shared.data(), operation.descriptorB(), product.b(), 0, 1, shape.n());
    }

    /**
     * Element i of lane l of warp w is row 16w + l/4 + 8 * (i/2 mod 2), column 8 * (i/4) + 2 * (l mod 4) + i mod 2; a
     * register holds one, or two of f16.
     */
    private void gather(MmaShape shape) {
        int perWord = 32 / shape.accumulator().bits();
        double[] tile = product.tile();
        for (int w = 0; w < warps.size(); w++) {
            int[] words = warps.get(w).words;
            for (int i = 0; i < shape.d().length * perWord; i++) {
                int at = origin(shape, w, i);
                int shift = 16 * (i % perWord);
                int register = shape.d()[i / perWord] * Warp.LANES;
                for (int lane = 0; lane < Warp.LANES; lane++) {
                    tile[at + (lane >> 2) * shape.n() + 2 * (lane & 3)] =
                            ElementFormat.accumulator(shape.accumulator(), words[register + lane] >>> shift);
                }
            }
        }
    }

    private void scatter(MmaShape shape) {
        int perWord = 32 / shape.accumulator().bits();
        double[] tile = product.tile();
        for (int w = 0; w < warps.size(); w++) {
            int[] words = warps.get(w).words;
            for (int i = 0; i < shape.d().length * perWord; i++) {
                int at = origin(shape, w, i);
                int shift = 16 * (i % perWord);
                int kept = perWord == 1 ? 0 : ~(0xFFFF << shift);
                int register = shape.d()[i / perWord] * Warp.LANES;
                for (int lane = 0; lane < Warp.LANES; lane++) {
                    int bits = ElementFormat.encode(
                            shape.accumulator(), shape.saturate(), tile[at + (lane >> 2) * shape.n() + 2 * (lane & 3)]);
                    words[register + lane] = words[register + lane] & kept | bits << shift;
                }
            }
        }
    }

    /** The position in the tile of element i of lane 0 of a warp. */
    private static int origin(MmaShape shape, int warp, int i) {
        return (16 * warp + 8 * (i >> 1 & 1)) * shape.n() + 8 * (i >> 2) + (i & 1);
    }
}
