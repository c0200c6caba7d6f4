package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.division.Divisor;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.scheduler.TileScheduler;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Tiles of a cluster and their coordinates: each role of a kernel asks for itself. */
public record TilePlan(TileScheduler tiles, TileLookup lookup) {

    /** Queries that find no tile, in a traced twin. */
    public enum FailedQueries {
        COUNTED,
        NOT_COUNTED
    }

    /**
     * Plans the tiles of a kernel, at the start of its code: the roles share the register that holds the start of
     * shared memory, so it is read here, before they part.
     */
    public static TilePlan of(
            CodeBuilder b,
            TileArguments arguments,
            KernelTraits traits,
            ClusterPlace cluster,
            SchedulerChoice choice,
            FailedQueries failed) {
        b.sharedBase();
        TileScheduler tiles = choice.build(arguments, cluster, failures(arguments, cluster, failed));
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
            TileArguments arguments, ClusterPlace cluster, FailedQueries failed) {
        return switch (failed) {
            case NOT_COUNTED -> Optional.empty();
            case COUNTED ->
                arguments.trace().map(buffer -> (b, tile) -> TileTrace.failedQuery(b, cluster, buffer, tile));
        };
    }
}
