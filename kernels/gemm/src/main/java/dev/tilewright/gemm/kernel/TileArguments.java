package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.gemm.scheduler.ClusterNumber;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.space.parameter.TileLocation;
import java.util.Optional;

/** The parameters that every tile scheduler looks at, whatever its tiles are of. */
public sealed interface TileArguments permits KernelArguments, TableArguments {

    /** Declares those of a kernel that knows so where its tiles lie. */
    static TileArguments declare(BoundParams<LaunchFacts> params, KernelTraits traits, TileLocation location) {
        return switch (location) {
            case RASTER -> KernelArguments.declare(params, traits);
            case TABLE -> TableArguments.declare(params, traits);
        };
    }

    /** Number of cluster tiles, or of their pieces. */
    Param clusterTiles();

    /** One thread, before anything else: fetches the maps that every tile needs, as far as they are parameters. */
    void prefetchMaps(CodeBuilder b);

    /** The product of the per-tensor scales of 8-bit inputs. */
    Optional<Param> scale();

    /** Counter of the atomic scheduler. */
    Optional<Param> counter();

    /** How clusters are dealt out, if they do not take tiles by their ids. */
    Optional<ClusterNumber.Deal> deal();

    /** Records of the traced twin. */
    Optional<Param> trace();
}
