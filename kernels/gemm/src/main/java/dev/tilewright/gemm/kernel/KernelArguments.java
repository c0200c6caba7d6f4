package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.raster.RasterCode;
import dev.tilewright.gemm.scheduler.ClusterNumber;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.scheduler.ShareCode;
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
 * @param clusterTiles number of cluster tiles; of tiles that are split the number of all pieces, of those that clusters
 *     share of all numbers
 * @param kBlocks blocks of {@code tileK} along K, the last maybe partial
 * @param raster order of the cluster tiles, and what they are divided by to find their places
 * @param scale the product of the per-tensor scales of 8-bit inputs
 * @param counter of the atomic scheduler
 * @param deal of clusters to GPCs, where they take tiles GPC by GPC
 * @param workspace sums of pieces, where tiles are split
 * @param arrivals how many of them are there, for each warpgroup of a tile
 * @param shares what clusters have of tiles that they share
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
        Optional<Shares> shares,
        Optional<Param> trace)
        implements TileArguments {

    /**
     * The parameters of {@link dev.tilewright.gemm.scheduler.ShareCode}, in this order.
     *
     * @param sharedTiles cluster tiles that are cut
     * @param shareBlocks blocks of K that each cluster has of them
     * @param longer clusters that have one more
     * @param firstWhole number of the first tile that is dealt whole
     */
    public record Shares(Param sharedTiles, Param shareBlocks, Param longer, Param firstWhole) {

        private static Shares declare(EntryBuilder entry) {
            return new Shares(
                    entry.u32("sharedTiles"),
                    entry.u32("shareBlocks"),
                    entry.u32("longerShares"),
                    entry.u32("firstWhole"));
        }
    }

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
                traits.shares() ? Optional.of(Shares.declare(entry)) : Optional.empty(),
                trace(entry, traits));
    }

    @Override
    public void prefetchMaps(CodeBuilder b) {
        b.prefetchTensorMap(b.tensorMap(mapA));
        b.prefetchTensorMap(b.tensorMap(mapB));
        b.prefetchTensorMap(b.tensorMap(mapD));
    }

    /** What clusters have of tiles that they share, as code of one of them. */
    public Optional<ShareCode> shareCode(ClusterPlace cluster) {
        return shares.map(all ->
                new ShareCode(cluster, all.sharedTiles(), all.shareBlocks(), all.longer(), all.firstWhole(), kBlocks));
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
