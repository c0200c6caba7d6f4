package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.TileGrid;
import dev.tilewright.gemm.TileNumbering;
import dev.tilewright.gemm.TileTable;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferDemand.Zero;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.raster.RasterCode;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.Entry;
import dev.tilewright.space.family.ClusterDeal;
import dev.tilewright.space.family.ClusterOrder;
import dev.tilewright.space.family.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.family.L2Promotion;
import dev.tilewright.space.family.LaunchConfig;
import dev.tilewright.space.family.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * How a kernel is launched: the arguments in the order of {@link KernelArguments} or {@link TableArguments}, the table
 * and the maps of the latter, and the grid.
 *
 * @param space of the kernel's family
 * @param built the text parameters of the kernel, by type
 * @param typed reads the text parameters of a config, to be compared with those
 */
public record TiledLaunchRule(
        FamilySpace space, Object built, Function<Config, ?> typed, KernelTraits traits, Entry entry)
        implements GemmKernel.LaunchRule {

    private static final int COUNTER_BYTES = 4;
    private static final int ARRIVALS_BYTES = 4;

    /** A problem's numbers are those that A and B hold; {@link KernelLaunch#withScale} takes others. */
    private static final float UNIT_SCALE = 1;

    @Override
    public KernelLaunch launch(Problem problem, DeviceLimits limits, Config config) {
        space.refusal(problem).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        if (!typed.apply(config).equals(built)) {
            throw new IllegalArgumentException("the kernel was built for other text parameters, " + built
                    + ", than those of " + config.canonical());
        }
        requireOperands(problem, config);
        requireBlocks(problem, config);
        TileNumbering tiles = TileNumbering.of(problem, config);
        int clusters = clusters(tiles.pieces(), problem.scenario(), limits, config);
        ClusterDeal deal = limits.deal(tiles.clusterSize()).within(clusters);
        return new KernelLaunch(
                entry.name(),
                clusters * tiles.clusterSize(),
                traits.threads(),
                tiles.clusterSize(),
                entry.dynamicShared().bytes(),
                arguments(problem, tiles, deal, config),
                buffers(tiles),
                switch (tiles) {
                    case TileGrid _ -> List.of();
                    case TileTable table -> List.of(maps(problem, config), words(table));
                },
                traits.overlaps());
    }

    private void requireOperands(Problem problem, Config config) {
        OperandTypes own = new OperandTypes(
                traits.a().type(), traits.b().type(), traits.d().getFirst().type());
        if (!problem.types().equals(own)) {
            throw new IllegalArgumentException(
                    "the kernel computes " + own + ", the problem has " + problem.types() + ": " + config.canonical());
        }
        if (!problem.major().equals(traits.majors())) {
            throw new IllegalArgumentException("the kernel computes " + traits.majors() + ", the problem has "
                    + problem.major() + ": " + config.canonical());
        }
    }

    /** Each piece of a tile has a block of K. */
    private void requireBlocks(Problem problem, Config config) {
        int blocks = kBlocks(problem);
        if (traits.pieces() > blocks) {
            throw new IllegalArgumentException("k = " + problem.shape().k() + " has " + blocks + " blocks of "
                    + traits.tileK() + ", fewer than the " + traits.pieces() + " pieces of a tile: "
                    + config.canonical());
        }
    }

    private int kBlocks(Problem problem) {
        return Math.ceilDiv(problem.shape().k(), traits.tileK());
    }

    /**
     * Where all clusters are resident at a time there are no more than fit; each cluster has a tile, or a piece of one.
     */
    @Override
    public int clusters(int pieces, Scenario scenario, DeviceLimits limits, Config config) {
        if (!traits.scheduler().residentGrid()) {
            return pieces;
        }
        return Math.min(pieces, limits.persistentClusters(config, scenario));
    }

    private List<Argument> arguments(Problem problem, TileNumbering tiles, ClusterDeal deal, Config config) {
        List<Argument> arguments = new ArrayList<>();
        switch (tiles) {
            case TileGrid grid -> addOne(arguments, problem, grid, config);
            case TileTable table -> {
                arguments.add(new Argument.Pointer(BufferRole.MAPS, 0));
                arguments.add(new Argument.Pointer(BufferRole.TILES, 0));
                arguments.add(new Argument.U32(table.clusterTiles()));
            }
        }
        if (traits.scaled()) {
            arguments.add(new Argument.F32(UNIT_SCALE));
        }
        if (traits.scheduler() == Scheduler.ATOMIC) {
            arguments.add(new Argument.Pointer(BufferRole.COUNTER, 0));
        }
        if (traits.order() == ClusterOrder.GPC) {
            arguments.add(new Argument.U32(deal.first()));
            arguments.add(new Argument.U32(deal.gpcs()));
            arguments.add(new Argument.U32(deal.rounds()));
            arguments.add(new Argument.U32(deal.laterGpcs()));
            arguments.add(new Argument.U32(deal.laterRounds()));
        }
        if (traits.split().isPresent()) {
            arguments.add(new Argument.Pointer(BufferRole.WORKSPACE, 0));
            arguments.add(new Argument.Pointer(BufferRole.ARRIVALS, 0));
        }
        if (traits.traced()) {
            arguments.add(new Argument.Pointer(BufferRole.TRACE, 0));
        }
        return arguments;
    }

    /** The arguments of one GEMM, in the order of {@link KernelArguments}. */
    private void addOne(List<Argument> arguments, Problem problem, TileGrid grid, Config config) {
        OperandLayout.Gemm gemm = OperandLayout.of(problem).gemms().getFirst();
        arguments.addAll(traits.maps(gemm, L2Promotion.bytes(config)));
        arguments.add(new Argument.U32(grid.tilesM()));
        arguments.add(new Argument.U32(grid.tilesN()));
        arguments.add(new Argument.U32(grid.pieces()));
        arguments.add(new Argument.U32(kBlocks(problem)));
        arguments.addAll(
                RasterCode.arguments(LaunchConfig.of(config).raster(grid.clusterTilesM(), grid.clusterTilesN())));
    }

    /** The maps of several GEMMs: of each those of A, B and the boxes of D. */
    private FilledBuffer maps(Problem problem, Config config) {
        int promotion = L2Promotion.bytes(config);
        return new FilledBuffer.Maps(
                BufferRole.MAPS,
                OperandLayout.of(problem).gemms().stream()
                        .flatMap(gemm -> traits.maps(gemm, promotion).stream())
                        .toList());
    }

    private static FilledBuffer words(TileTable table) {
        return new FilledBuffer.Words(BufferRole.TILES, table.words());
    }

    private List<BufferDemand> buffers(TileNumbering tiles) {
        List<BufferDemand> buffers = new ArrayList<>();
        if (traits.scheduler() == Scheduler.ATOMIC) {
            buffers.add(new BufferDemand(BufferRole.COUNTER, COUNTER_BYTES, Zero.ONCE));
        }
        traits.split().ifPresent(split -> {
            long left = (long) tiles.allPieces() * split.bytes();
            long counts = (long) tiles.allTiles() * split.warpgroups() * ARRIVALS_BYTES;
            buffers.add(new BufferDemand(BufferRole.WORKSPACE, left, Zero.NEVER));
            buffers.add(new BufferDemand(BufferRole.ARRIVALS, counts, Zero.ONCE));
        });
        if (traits.traced()) {
            buffers.add(new BufferDemand(BufferRole.TRACE, new TraceLayout(tiles).bytes(), Zero.EACH_LAUNCH));
        }
        return buffers;
    }
}
