package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.division.Divisor;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.scheduler.TileScheduler;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Which tiles there are for a cluster, and where they lie: what the roles of a kernel ask, each for itself. */
public record TilePlan(TileScheduler tiles, TileLookup lookup) {

    /**
     * Plans the tiles of a kernel, at the start of its code: the roles share the register that holds the start of
     * shared memory, so it is read here, before they part.
     *
     * @param countsFailures whether a traced twin counts queries that find no tile
     */
    public static TilePlan of(
            CodeBuilder b,
            TileArguments arguments,
            KernelTraits traits,
            ClusterPlace cluster,
            SchedulerChoice choice,
            boolean countsFailures) {
        b.sharedBase();
        TileScheduler tiles = choice.build(arguments, cluster, failures(arguments, cluster, countsFailures));
        return new TilePlan(
                tiles,
                switch (arguments) {
                    case KernelArguments one -> lookup(one, traits, cluster);
                    case TableArguments several -> new TableLookup(several, cluster, traits.matrices());
                });
    }

    private static TileLookup lookup(KernelArguments arguments, KernelTraits traits, ClusterPlace cluster) {
        RasterLookup whole = new RasterLookup(arguments, cluster);
        return traits.pieces() == 1 ? whole : new SplitLookup(whole, new Divisor(traits.pieces()));
    }

    private static Optional<BiConsumer<CodeBuilder, Reg<B32>>> failures(
            TileArguments arguments, ClusterPlace cluster, boolean counted) {
        return arguments
                .trace()
                .filter(buffer -> counted)
                .map(buffer -> (b, tile) -> TileTrace.failedQuery(b, cluster, buffer, tile));
    }
}
