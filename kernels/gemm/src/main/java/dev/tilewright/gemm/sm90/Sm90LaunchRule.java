package dev.tilewright.gemm.sm90;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.TileGrid;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferDemand.Zero;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.gemm.space.DeviceLimits;
import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.gemm.space.Sm90Config.Scheduler;
import dev.tilewright.gemm.space.Sm90GemmSpace;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.raster.Raster;
import dev.tilewright.model.raster.RasterOrder;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.Entry;
import java.util.ArrayList;
import java.util.List;

/** How a kernel of the family is launched: the arguments in the order of {@link Sm90Arguments}, and the grid. */
record Sm90LaunchRule(Sm90GemmSpace space, Sm90Config built, boolean traced, Entry entry)
        implements GemmKernel.LaunchRule {

    private static final int PROMOTION_BYTES = 128;
    private static final int NO_PROMOTION = 0;
    private static final int COUNTER_BYTES = 4;

    @Override
    public KernelLaunch launch(Problem problem, DeviceLimits limits, Config config) {
        space.refusal(problem).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        if (!Sm90Config.of(config).equals(built)) {
            throw new IllegalArgumentException("the kernel was built for other text parameters, " + built
                    + ", than those of " + config.canonical());
        }
        TileGrid grid = TileGrid.of(problem.shape(), config);
        return new KernelLaunch(
                entry.name(),
                clusters(grid, limits, config.whole("gridSize")) * grid.clusterSize(),
                built.threads(),
                grid.clusterSize(),
                entry.dynamicShared().bytes(),
                arguments(problem.shape(), grid, config),
                buffers(grid));
    }

    /** Persistent kernels have no more clusters than fit at a time; each cluster has a tile. */
    private int clusters(TileGrid grid, DeviceLimits limits, int gridSize) {
        int ctas = gridSize == 0 ? limits.smCount() : gridSize;
        int resident = Math.max(1, ctas / grid.clusterSize());
        return switch (built.scheduler()) {
            case SINGLE -> grid.clusterTiles();
            case STATIC, ATOMIC -> Math.min(grid.clusterTiles(), resident);
        };
    }

    private List<Argument> arguments(ProblemShape shape, TileGrid grid, Config config) {
        Swizzle operands = Swizzle.of(built.swizzle());
        Swizzle panels = Swizzle.of(built.epilogueN() * Sm90Config.ELEMENT_BYTES);
        Raster raster = RasterOrder.parse(config.name("rasterOrder"))
                .raster(grid.clusterTilesM(), grid.clusterTilesN(), config.whole("rasterGroup"));
        List<Argument> arguments = new ArrayList<>();
        arguments.add(
                map(BufferRole.A, shape.k(), shape.m(), built.tileK(), built.loadRowsA(), operands, PROMOTION_BYTES));
        arguments.add(
                map(BufferRole.B, shape.k(), shape.n(), built.tileK(), built.loadRowsB(), operands, PROMOTION_BYTES));
        arguments.add(mapD(shape, built.epilogueN(), panels));
        if (built.narrowPanelN() > 0) {
            arguments.add(mapD(shape, built.narrowPanelN(), panels));
        }
        arguments.add(new Argument.U32(grid.tilesM()));
        arguments.add(new Argument.U32(grid.tilesN()));
        arguments.add(new Argument.U32(grid.clusterTilesM()));
        arguments.add(new Argument.U32(grid.clusterTilesN()));
        arguments.add(new Argument.U32(grid.clusterTiles()));
        arguments.add(new Argument.U32(Math.ceilDiv(shape.k(), built.tileK())));
        arguments.add(new Argument.U32(raster.group()));
        arguments.add(new Argument.U32(raster.alongN() ? 1 : 0));
        if (built.scheduler() == Scheduler.ATOMIC) {
            arguments.add(new Argument.Pointer(BufferRole.COUNTER, 0));
        }
        if (traced) {
            arguments.add(new Argument.Pointer(BufferRole.TRACE, 0));
        }
        return arguments;
    }

    private static Argument mapD(ProblemShape shape, int columns, Swizzle swizzle) {
        return map(BufferRole.D, shape.n(), shape.m(), columns, Sm90Config.MMA_ROWS, swizzle, NO_PROMOTION);
    }

    private static Argument map(
            BufferRole role, int inner, int outer, int boxInner, int boxOuter, Swizzle swizzle, int promotionBytes) {
        return new Argument.TensorMap(
                role,
                0,
                DataType.BF16,
                List.of((long) inner, (long) outer),
                List.of((long) inner * Sm90Config.ELEMENT_BYTES),
                List.of(boxInner, boxOuter),
                swizzle,
                promotionBytes);
    }

    private List<BufferDemand> buffers(TileGrid grid) {
        List<BufferDemand> buffers = new ArrayList<>();
        if (built.scheduler() == Scheduler.ATOMIC) {
            buffers.add(new BufferDemand(BufferRole.COUNTER, COUNTER_BYTES, Zero.ONCE));
        }
        if (traced) {
            buffers.add(new BufferDemand(BufferRole.TRACE, new TraceLayout(grid).bytes(), Zero.EACH_LAUNCH));
        }
        return buffers;
    }
}
