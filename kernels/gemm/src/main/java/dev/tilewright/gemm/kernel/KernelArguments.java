package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.kernel.TileLookup.Matrix;
import dev.tilewright.gemm.launch.BufferDemand.Zero;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FloatRole;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.gemm.raster.RasterCode;
import dev.tilewright.gemm.scheduler.ClusterNumber;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.space.parameter.Scheduler;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters of a kernel of one GEMM. Nothing of the problem's shape is in the text: it comes through these.
 *
 * @param maps the tensor map of each matrix that is moved by TMA
 * @param tilesM rows of CTA tiles that hold output
 * @param tilesN columns of CTA tiles that hold output
 * @param clusterTiles how many numbers the scheduler hands out: cluster tiles, or their pieces along K if tiles are
 *     split
 * @param kBlocks blocks of {@code tileK} along K, the last maybe partial
 * @param raster order of the cluster tiles, and the divisors that give their coordinates
 * @param scale the product of the per-tensor scales of 8-bit inputs
 * @param counter of the atomic scheduler
 * @param deal of clusters to GPCs, where they take tiles GPC by GPC
 * @param workspace sums of pieces, where tiles are split
 * @param arrivals how many of them are there, for each warpgroup of a tile
 * @param trace records of the traced twin
 */
public record KernelArguments(
        Map<Matrix, Param> maps,
        Param tilesM,
        Param tilesN,
        Param clusterTiles,
        Param kBlocks,
        RasterCode raster,
        Optional<Param> scale,
        Optional<Param> counter,
        Optional<ClusterNumber.Deal> deal,
        Optional<Param> workspace,
        Optional<Param> arrivals,
        Optional<Param> trace)
        implements TileArguments {

    private static final int COUNTER_BYTES = 4;
    private static final int ARRIVALS_BYTES = 4;

    /** A problem's numbers are those that A and B hold; a caller of the launch may ask for another scale. */
    private static final float UNIT_SCALE = 1;

    static KernelArguments declare(BoundParams<LaunchFacts> params, KernelTraits traits) {
        return new KernelArguments(
                maps(params, traits),
                params.u32("tilesM", facts -> facts.grid().tilesM()),
                params.u32("tilesN", facts -> facts.grid().tilesN()),
                params.u32("clusterTiles", facts -> facts.grid().pieces()),
                params.u32("kBlocks", facts -> traits.kBlocks(facts.problem())),
                RasterCode.declare(params, LaunchFacts::raster),
                scale(params, traits),
                counter(params, traits),
                deal(params, traits),
                traits.split().map(split -> workspace(params, split)),
                traits.split().map(split -> arrivals(params, split)),
                trace(params, traits));
    }

    private static Map<Matrix, Param> maps(BoundParams<LaunchFacts> params, KernelTraits traits) {
        Map<Matrix, Param> maps = new EnumMap<>(Matrix.class);
        for (Matrix matrix : traits.matrices()) {
            maps.put(
                    matrix,
                    params.tensorMap(
                            matrix.parameter(),
                            facts -> traits.map(matrix, facts.gemms().getFirst(), facts.promotion())));
        }
        return maps;
    }

    private static Param workspace(BoundParams<LaunchFacts> params, KernelTraits.Split split) {
        return params.buffer(
                "workspace",
                BufferRole.WORKSPACE,
                Zero.NEVER,
                facts -> (long) facts.tiles().allPieces() * split.bytes());
    }

    private static Param arrivals(BoundParams<LaunchFacts> params, KernelTraits.Split split) {
        return params.buffer(
                "arrivals",
                BufferRole.ARRIVALS,
                Zero.ONCE,
                facts -> (long) facts.tiles().allTiles() * split.warpgroups() * ARRIVALS_BYTES);
    }

    static Optional<Param> scale(BoundParams<LaunchFacts> params, KernelTraits traits) {
        return traits.scaled() ? Optional.of(params.f32("scale", FloatRole.SCALE, UNIT_SCALE)) : Optional.empty();
    }

    static Optional<Param> counter(BoundParams<LaunchFacts> params, KernelTraits traits) {
        return traits.scheduler() == Scheduler.ATOMIC
                ? Optional.of(params.buffer("counter", BufferRole.COUNTER, Zero.ONCE, _ -> COUNTER_BYTES))
                : Optional.empty();
    }

    static Optional<ClusterNumber.Deal> deal(BoundParams<LaunchFacts> params, KernelTraits traits) {
        return switch (traits.order()) {
            case LAUNCH -> Optional.empty();
            case GPC -> Optional.of(ClusterNumber.Deal.declare(params, LaunchFacts::deal));
        };
    }

    static Optional<Param> trace(BoundParams<LaunchFacts> params, KernelTraits traits) {
        return traits.traced()
                ? Optional.of(params.buffer(
                        "trace", BufferRole.TRACE, Zero.EACH_LAUNCH, facts -> new TraceLayout(facts.tiles()).bytes()))
                : Optional.empty();
    }

    @Override
    public void prefetchMaps(CodeBuilder b) {
        List.of(Matrix.A, Matrix.B, Matrix.D).forEach(matrix -> b.prefetchTensorMap(b.tensorMap(map(matrix))));
    }

    /** The map of a matrix that is moved by TMA. */
    Param map(Matrix matrix) {
        Param map = maps.get(matrix);
        if (map == null) {
            throw new IllegalArgumentException(
                    "the kernel has no tensor map of " + matrix + ", only of " + maps.keySet());
        }
        return map;
    }
}
