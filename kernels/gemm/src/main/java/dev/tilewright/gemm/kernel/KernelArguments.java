package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.raster.RasterCode;
import dev.tilewright.gemm.scheduler.ClusterNumber;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.space.family.Scheduler;
import java.util.Optional;

/**
 * The parameters of the kernel, in the order in which {@link TiledLaunchRule} passes them. Nothing of the problem's
 * shape is in the text: it comes through these.
 *
 * @param narrowMapD map of D with the box of the last panel, where it is narrower than the others
 * @param tilesM rows of CTA tiles that hold output
 * @param tilesN columns of CTA tiles that hold output
 * @param clusterTiles how many numbers the scheduler hands out: cluster tiles, or their pieces along K if tiles are
 *     split
 * @param kBlocks blocks of {@code tileK} along K, the last maybe partial
 * @param raster order of the cluster tiles, and what they are divided by to find their places
 * @param scale the product of the per-tensor scales of 8-bit inputs
 * @param counter of the atomic scheduler
 * @param deal of clusters to GPCs, where they take tiles GPC by GPC
 * @param workspace sums of pieces, where tiles are split
 * @param arrivals how many of them are there, for each warpgroup of a tile
 * @param trace records of the traced twin
 */
public record KernelArguments(
        Param mapA,
        Param mapB,
        Param mapD,
        Optional<Param> narrowMapD,
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

    public static KernelArguments declare(EntryBuilder entry, KernelTraits traits) {
        return new KernelArguments(
                entry.tensorMap("mapA"),
                entry.tensorMap("mapB"),
                entry.tensorMap("mapD"),
                when(traits.d().size() > 1, entry, "narrowMapD", Param.Kind.TENSOR_MAP),
                entry.u32("tilesM"),
                entry.u32("tilesN"),
                entry.u32("clusterTiles"),
                entry.u32("kBlocks"),
                RasterCode.declare(entry),
                scale(entry, traits),
                counter(entry, traits),
                deal(entry, traits),
                when(traits.split().isPresent(), entry, "workspace", Param.Kind.POINTER),
                when(traits.split().isPresent(), entry, "arrivals", Param.Kind.POINTER),
                trace(entry, traits));
    }

    @Override
    public void prefetchMaps(CodeBuilder b) {
        b.prefetchTensorMap(b.tensorMap(mapA));
        b.prefetchTensorMap(b.tensorMap(mapB));
        b.prefetchTensorMap(b.tensorMap(mapD));
    }

    static Optional<Param> scale(EntryBuilder entry, KernelTraits traits) {
        return when(traits.scaled(), entry, "scale", Param.Kind.F32);
    }

    static Optional<Param> counter(EntryBuilder entry, KernelTraits traits) {
        return when(traits.scheduler() == Scheduler.ATOMIC, entry, "counter", Param.Kind.POINTER);
    }

    static Optional<ClusterNumber.Deal> deal(EntryBuilder entry, KernelTraits traits) {
        return switch (traits.order()) {
            case LAUNCH -> Optional.empty();
            case GPC -> Optional.of(ClusterNumber.Deal.declare(entry));
        };
    }

    static Optional<Param> trace(EntryBuilder entry, KernelTraits traits) {
        return when(traits.traced(), entry, "trace", Param.Kind.POINTER);
    }

    private static Optional<Param> when(boolean needed, EntryBuilder entry, String name, Param.Kind kind) {
        return needed ? Optional.of(entry.param(name, kind)) : Optional.empty();
    }
}
