package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.scheduler.ClusterNumber;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import java.util.Optional;

/**
 * The parameters of a kernel that computes several GEMMs, in the order in which {@link TiledLaunchRule} passes them.
 *
 * @param maps tensor maps of A, B and the boxes of D of each GEMM, side by side
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

    /** Which maps are needed only the tiles say. */
    @Override
    public void prefetchMaps(CodeBuilder b) {}

    public static TableArguments declare(EntryBuilder entry, KernelTraits traits) {
        return new TableArguments(
                entry.pointer("maps"),
                entry.pointer("tiles"),
                entry.u32("clusterTiles"),
                KernelArguments.scale(entry, traits),
                KernelArguments.counter(entry, traits),
                KernelArguments.deal(entry, traits),
                KernelArguments.trace(entry, traits));
    }
}
