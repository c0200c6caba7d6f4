package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.gemm.scheduler.ClusterNumber;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import java.util.Optional;

/**
 * The parameters of a kernel that computes several GEMMs.
 *
 * @param maps tensor maps of the matrices of each GEMM, side by side in the order of {@link KernelTraits#matrices}
 * @param tiles the {@link dev.tilewright.gemm.TileTable}
 */
public record TableArguments(
        Param maps,
        Param tiles,
        Param clusterTiles,
        Optional<Param> scale,
        Optional<Param> counter,
        Optional<ClusterNumber.Deal> deal,
        Optional<Param> trace)
        implements TileArguments {

    static TableArguments declare(BoundParams<LaunchFacts> params, KernelTraits traits) {
        return new TableArguments(
                params.tensorMaps("maps", BufferRole.MAPS, traits::maps),
                params.words("tiles", BufferRole.TILES, facts -> facts.table().words()),
                params.u32("clusterTiles", facts -> facts.table().clusterTiles()),
                KernelArguments.scale(params, traits),
                KernelArguments.counter(params, traits),
                KernelArguments.deal(params, traits),
                KernelArguments.trace(params, traits));
    }

    /** None: a tile alone says which maps it needs. */
    @Override
    public void prefetchMaps(CodeBuilder b) {}
}
