package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.raster.RasterCode;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.scheduler.TileScheduler;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Which tiles there are for a cluster, and where they lie: what the roles of a kernel ask. */
public record TilePlan(TileScheduler tiles, TileLookup lookup) {

    /**
     * Reads the parameters.
     *
     * @param clusterM CTAs of the cluster along M
     * @param clusterN CTAs of the cluster along N
     * @param countsFailures whether a traced twin counts queries that find no tile
     */
    public static TilePlan of(
            CodeBuilder b,
            TileArguments arguments,
            KernelTraits traits,
            ClusterPlace cluster,
            int clusterM,
            int clusterN,
            SchedulerChoice choice,
            Reg<B32> sharedBase,
            boolean countsFailures) {
        return switch (arguments) {
            case KernelArguments one -> {
                RasterCode raster = RasterCode.of(
                        b,
                        b.param32(one.clusterTilesM()),
                        b.param32(one.clusterTilesN()),
                        b.param32(one.rasterGroup()),
                        b.param32(one.rasterAlongN()));
                TileScheduler tiles =
                        choice.build(b, one, cluster, sharedBase, failures(b, one, cluster, countsFailures));
                TilePlace.Finder places = new TilePlace.Finder(raster, cluster, clusterM, clusterN);
                RasterLookup whole = new RasterLookup(one, places, b.param32(one.kBlocks()));
                yield new TilePlan(tiles, lookup(one, traits, cluster, whole));
            }
            case TableArguments several ->
                new TilePlan(
                        choice.build(b, several, cluster, sharedBase, failures(b, several, cluster, countsFailures)),
                        TableLookup.of(b, several, traits, cluster, clusterM, clusterN));
        };
    }

    private static TileLookup lookup(
            KernelArguments arguments, KernelTraits traits, ClusterPlace cluster, RasterLookup whole) {
        return traits.split()
                .<TileLookup>map(split -> switch (split.cut()) {
                    case KernelTraits.Cut.Even(int pieces) -> new SplitLookup(whole, pieces);
                    case KernelTraits.Cut.Shares _ ->
                        new StreamLookup(whole, arguments.shareCode(cluster).orElseThrow());
                })
                .orElse(whole);
    }

    private static Optional<BiConsumer<CodeBuilder, Reg<B32>>> failures(
            CodeBuilder b, TileArguments arguments, ClusterPlace cluster, boolean counted) {
        return arguments.trace().filter(buffer -> counted).map(buffer -> {
            Reg<B64> records = b.globalPointer(buffer);
            return (w, tile) -> TileTrace.failedQuery(w, cluster, records, tile);
        });
    }
}
