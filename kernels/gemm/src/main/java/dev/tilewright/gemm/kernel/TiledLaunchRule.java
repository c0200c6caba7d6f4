package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.TileGrid;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferDemand.Zero;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.space.DeviceLimits;
import dev.tilewright.gemm.space.FamilySpace;
import dev.tilewright.gemm.space.Scheduler;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.raster.Raster;
import dev.tilewright.model.raster.RasterOrder;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * How a kernel is launched: the arguments in the order of {@link KernelArguments}, and the grid.
 *
 * @param space of the kernel's family
 * @param built the text parameters of the kernel, by type
 * @param typed reads the text parameters of a config, to be compared with those
 */
public record TiledLaunchRule(
        FamilySpace space, Object built, Function<Config, ?> typed, KernelTraits traits, Entry entry)
        implements GemmKernel.LaunchRule {

    private static final int COUNTER_BYTES = 4;

    @Override
    public KernelLaunch launch(Problem problem, DeviceLimits limits, Config config) {
        space.refusal(problem).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        if (!typed.apply(config).equals(built)) {
            throw new IllegalArgumentException("the kernel was built for other text parameters, " + built
                    + ", than those of " + config.canonical());
        }
        requireTypes(problem.types(), config);
        TileGrid grid = TileGrid.of(problem.shape(), config);
        return new KernelLaunch(
                entry.name(),
                clusters(grid, limits, config.whole("gridSize")) * grid.clusterSize(),
                traits.threads(),
                grid.clusterSize(),
                entry.dynamicShared().bytes(),
                arguments(problem.shape(), grid, config),
                buffers(grid));
    }

    private void requireTypes(OperandTypes types, Config config) {
        OperandTypes own = new OperandTypes(
                traits.a().type(), traits.b().type(), traits.d().getFirst().type());
        if (!types.equals(own)) {
            throw new IllegalArgumentException(
                    "the kernel computes " + own + ", the problem has " + types + ": " + config.canonical());
        }
    }

    /** Where all clusters are resident at a time there are no more than fit; each cluster has a tile. */
    private int clusters(TileGrid grid, DeviceLimits limits, int gridSize) {
        if (!traits.scheduler().residentGrid()) {
            return grid.clusterTiles();
        }
        int ctas = gridSize == 0 ? limits.smCount() : gridSize;
        int resident = Math.max(1, ctas / grid.clusterSize());
        return Math.min(grid.clusterTiles(), resident);
    }

    private List<Argument> arguments(ProblemShape shape, TileGrid grid, Config config) {
        Raster raster = RasterOrder.parse(config.name("rasterOrder"))
                .raster(grid.clusterTilesM(), grid.clusterTilesN(), config.whole("rasterGroup"));
        List<Argument> arguments = new ArrayList<>();
        arguments.add(traits.a().map(BufferRole.A, shape.k(), shape.m()));
        arguments.add(traits.b().map(BufferRole.B, shape.k(), shape.n()));
        traits.d().forEach(box -> arguments.add(box.map(BufferRole.D, shape.n(), shape.m())));
        arguments.add(new Argument.U32(grid.tilesM()));
        arguments.add(new Argument.U32(grid.tilesN()));
        arguments.add(new Argument.U32(grid.clusterTilesM()));
        arguments.add(new Argument.U32(grid.clusterTilesN()));
        arguments.add(new Argument.U32(grid.clusterTiles()));
        arguments.add(new Argument.U32(Math.ceilDiv(shape.k(), traits.tileK())));
        arguments.add(new Argument.U32(raster.group()));
        arguments.add(new Argument.U32(raster.alongN() ? 1 : 0));
        if (traits.scheduler() == Scheduler.ATOMIC) {
            arguments.add(new Argument.Pointer(BufferRole.COUNTER, 0));
        }
        if (traits.traced()) {
            arguments.add(new Argument.Pointer(BufferRole.TRACE, 0));
        }
        return arguments;
    }

    private List<BufferDemand> buffers(TileGrid grid) {
        List<BufferDemand> buffers = new ArrayList<>();
        if (traits.scheduler() == Scheduler.ATOMIC) {
            buffers.add(new BufferDemand(BufferRole.COUNTER, COUNTER_BYTES, Zero.ONCE));
        }
        if (traits.traced()) {
            buffers.add(new BufferDemand(BufferRole.TRACE, new TraceLayout(grid).bytes(), Zero.EACH_LAUNCH));
        }
        return buffers;
    }
}
