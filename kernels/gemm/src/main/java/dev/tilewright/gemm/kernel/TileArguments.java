package dev.tilewright.gemm.kernel;

import dev.tilewright.ptx.Param;
import java.util.Optional;

/** The parameters that every tile scheduler looks at, whatever its tiles are of. */
public sealed interface TileArguments permits KernelArguments, TableArguments {

    /** Number of cluster tiles. */
    Param clusterTiles();

    /** The product of the per-tensor scales of 8-bit inputs. */
    Optional<Param> scale();

    /** Counter of the atomic scheduler. */
    Optional<Param> counter();

    /** Records of the traced twin. */
    Optional<Param> trace();
}
