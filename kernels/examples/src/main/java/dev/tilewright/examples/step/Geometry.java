package dev.tilewright.examples.step;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.ptx.Entry;
import java.util.List;

/**
 * How a step is launched. CTAs of a cluster have tiles below each other; each loads an equal part of the rows of B.
 *
 * @param threads threads of a CTA
 * @param cluster CTAs of a cluster
 * @param columns columns of the tile of a CTA
 * @param rowsOfD rows of D that one TMA store writes; it writes 64 columns
 * @param grid how many clusters there are
 */
public record Geometry(int threads, int cluster, int columns, int rowsOfD, Grid grid) {

    private static final int ALIGNED = 8;
    private static final int PROMOTION = 128;

    /** How many clusters a grid has. */
    public enum Grid {
        /** One for each cluster tile. */
        TILES,
        /** As many as the SMs hold, but not more than there are cluster tiles. */
        PERSISTENT
    }

    /** Tiles of 128 columns. */
    public Geometry(int threads, int cluster, int rowsOfD, Grid grid) {
        this(threads, cluster, Step.TILE, rowsOfD, grid);
    }

    /**
     * The launch for a problem.
     *
     * @param entry the kernel
     * @param sms SMs of the GPU; each holds one CTA of a persistent grid
     * @throws IllegalArgumentException if N or K is no multiple of 8, or there are fewer SMs than CTAs in a cluster
     */
    public KernelLaunch launch(Entry entry, ProblemShape shape, int sms) {
        requireAligned("n", shape.n());
        requireAligned("k", shape.k());
        if (sms < cluster) {
            throw new IllegalArgumentException("a cluster of " + cluster + " CTAs needs as many SMs, got " + sms);
        }
        int tilesM = Math.ceilDiv(shape.m(), cluster * Step.TILE);
        int tilesN = Math.ceilDiv(shape.n(), columns);
        int tiles = Math.multiplyExact(tilesM, tilesN);
        int clusters = switch (grid) {
            case TILES -> tiles;
            case PERSISTENT -> Math.min(tiles, sms / cluster);
        };
        return new KernelLaunch(
                entry.name(),
                Math.multiplyExact(clusters, cluster),
                threads,
                cluster,
                entry.dynamicShared().bytes(),
                List.of(
                        map(BufferRole.A, shape.m(), shape.k(), Step.TILE),
                        map(BufferRole.B, shape.n(), shape.k(), columns / cluster),
                        map(BufferRole.D, shape.m(), shape.n(), rowsOfD),
                        new Argument.U32(tilesM),
                        new Argument.U32(tilesN),
                        new Argument.U32(Math.ceilDiv(shape.k(), Step.DEPTH))),
                List.of());
    }

    private static void requireAligned(String extent, int value) {
        if (value % ALIGNED != 0) {
            throw new IllegalArgumentException(
                    extent + " must be a multiple of 8, because TMA reads rows of 16-byte chunks, got " + value);
        }
    }

    /** A row of a box has 64 elements: a line of 128 bytes, swizzled over all of it. */
    private static Argument map(BufferRole role, int rows, int columns, int boxRows) {
        return new Argument.TensorMap(
                role,
                0,
                DataType.BF16,
                List.of((long) columns, (long) rows),
                List.of((long) columns * DataType.BF16.bytes()),
                List.of(Swizzle.B128.bytes() / DataType.BF16.bytes(), boxRows),
                Swizzle.B128,
                PROMOTION);
    }
}
