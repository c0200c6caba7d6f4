package dev.tilewright.gemm.sm90;

import dev.tilewright.gemm.epilogue.EpilogueSteps;
import dev.tilewright.gemm.epilogue.PartialSums;
import dev.tilewright.gemm.epilogue.SumsWorkspace;
import dev.tilewright.gemm.epilogue.TileSteps;
import dev.tilewright.gemm.epilogue.TmaStoreEpilogue;
import dev.tilewright.gemm.kernel.KernelArguments;
import dev.tilewright.gemm.kernel.KernelTraits;
import dev.tilewright.gemm.kernel.LaunchFacts;
import dev.tilewright.gemm.kernel.SchedulerChoice;
import dev.tilewright.gemm.kernel.TableArguments;
import dev.tilewright.gemm.kernel.TileArguments;
import dev.tilewright.gemm.kernel.TileLookup;
import dev.tilewright.gemm.kernel.TileLookup.Matrix;
import dev.tilewright.gemm.kernel.TilePlace;
import dev.tilewright.gemm.kernel.TilePlan;
import dev.tilewright.gemm.kernel.TileTrace;
import dev.tilewright.gemm.mainloop.ClusterSharing;
import dev.tilewright.gemm.mainloop.OperandStages;
import dev.tilewright.gemm.mainloop.StageLayout;
import dev.tilewright.gemm.mainloop.TimerTick;
import dev.tilewright.gemm.mainloop.TmaLoader;
import dev.tilewright.gemm.mainloop.WarpgroupPlace;
import dev.tilewright.gemm.mainloop.WgmmaMainloop;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.gemm.pipeline.OrderBarrier;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.scheduler.TileCursor;
import dev.tilewright.gemm.scheduler.TileReader;
import dev.tilewright.gemm.scheduler.TileScheduler;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.space.family.LaunchOverlap;
import dev.tilewright.space.family.Sm90Config;
import dev.tilewright.space.family.Throttle;
import dev.tilewright.space.family.TileLocation;
import dev.tilewright.space.family.WarpgroupTile;
import dev.tilewright.space.operand.OperandTile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * D[M,N] = A[M,K] · B[N,K]ᵀ, f32 accumulated, of the types and layouts of
 * {@link dev.tilewright.space.family.Sm90Operands}; D row-major. M, N and K are any that the family accepts: boxes
 * outside the operands are read as zeros, and stores are clipped. {@code docs/kernels/sm90-gemm.md} shows the whole of
 * it.
 *
 * <pre>
 *   warps       role        does                                                       registers
 *   0           load        one thread: TMA of A and B, stage by stage                 40 or 24
 *   1           scheduler   one thread of rank 0: asks for tiles (atomic alone)
 *   2, 3        -           leave at once
 *   4..7        multiply    wgmma, then the epilogue                                   registers
 *   8.., 12..   multiply    another part of the tile, or another tile (pingpong)       registers
 *
 *   pipeline    slots       full                            empty
 *   load        loadStages  1 arrival + bytes of A and B    each warpgroup of a tile, of each CTA that shares
 *   tile        1 or 2      1 arrival of the scheduler      each multiply warp and load thread of the cluster, and
 *                                                           the scheduler, which reads its own answers
 *   order       -           pingpong: named barriers 5, 6: one warpgroup issues its mainloop, the other stores
 * </pre>
 *
 * Where launches overlap, barriers are made and maps prefetched while the launch ahead still works. Before its first
 * access to global memory each role waits until that has ended. Multiplying warps need not: they store what was loaded
 * behind the loading thread's wait, and wait themselves only if they look up a table first. No launch ends before its
 * own wait, so to wait for the one ahead is to wait for all.
 *
 * <p>CTAs of a cluster do not meet at the end: a cluster barrier that releases would wait for all that was stored. The
 * load thread of one whose stages others read stays until they have been handed back, the scheduler until its ring has.
 *
 * <p>Shared memory, in this order: stages (A, then B), panels of the epilogue, barriers of the stages, records of the
 * tile ring and its barriers.
 */
final class Sm90Kernel {

    private static final int WARPGROUP_WARPS = 4;
    /** Named barriers that order the mainloops of two warpgroups; the epilogue has 1 and 2. */
    private static final int ORDER_BARRIER = 5;

    private final Sm90Config config;
    private final KernelTraits traits;

    Sm90Kernel(Sm90Config config, KernelTraits traits) {
        this.config = config;
        this.traits = traits;
    }

    /** What all roles look at. */
    private record Shared(
            TileArguments arguments,
            OperandStages stages,
            SharedRegion panels,
            ClusterPlace cluster,
            TileScheduler tiles,
            TileLookup lookup,
            EpilogueSteps steps) {}

    /** @param params takes what a launch passes for each parameter */
    void build(EntryBuilder entry, BoundParams<LaunchFacts> params) {
        TileArguments arguments = TileArguments.declare(params, traits, config.location());
        EpilogueSteps steps = EpilogueSteps.declare(
                params,
                config.operands().epilogue(),
                arguments.scale(),
                config.operands().types().d(),
                config.location() == TileLocation.TABLE,
                LaunchFacts::problem);
        params.params().forEach(entry::param);
        entry.launchBounds(config.threads(), config.ctasPerSm());
        if (config.clusterSize() > 1) {
            entry.cluster(config.clusterSize(), 1, 1);
        }
        SharedRegion stageData = OperandStages.declareData(entry, layout());
        SharedRegion panels = TmaStoreEpilogue.declare(entry, config);
        OperandStages stages = OperandStages.declareBarriers(
                entry, layout(), config.warpgroupsPerTile() * sharing().readers(), stageData);
        SchedulerChoice choice = SchedulerChoice.declare(
                entry,
                config.scheduler(),
                config.ring(),
                config.clusterSize() * (config.consumers() * WARPGROUP_WARPS + 1) + 1);
        entry.code(b -> {
            ClusterPlace cluster = new ClusterPlace(config.clusterM(), config.clusterN());
            TilePlan plan = TilePlan.of(b, arguments, traits, cluster, choice, false);
            Shared shared = new Shared(arguments, stages, panels, cluster, plan.tiles(), plan.lookup(), steps);
            prologue(b, shared);
            b.role("producer", 0, WARPGROUP_WARPS, producer -> producer(producer, shared));
            b.role(
                    "multiply",
                    WARPGROUP_WARPS,
                    config.consumers() * WARPGROUP_WARPS,
                    consumer -> multiply(consumer, shared));
            b.ret();
        });
    }

    private StageLayout layout() {
        return new StageLayout(config.loadStages(), config.operandTiles());
    }

    private ClusterSharing sharing() {
        return new ClusterSharing(layout(), config.clusterM(), config.clusterN(), CtaGroup.ONE);
    }

    private Optional<TimerTick> tick() {
        return switch (config.loadStart()) {
            case FREE -> Optional.empty();
            case TICK -> Optional.of(TimerTick.every(config.loadTickNs()));
        };
    }

    /** Barriers are made by one thread and seen by all, in the whole cluster, before anybody arrives at one. */
    private void prologue(CodeBuilder b, Shared shared) {
        b.ifThen(b.eq(b.special(SpecialRegister.TID_X), 0), first -> {
            shared.arguments().prefetchMaps(first);
            shared.stages().pipeline().initialize(first);
            shared.tiles().initializeShared(first);
            first.fenceBarrierInit();
        });
        if (config.clusterSize() > 1) {
            b.clusterArrive(Sem.RELAXED);
            b.clusterWait();
        } else {
            b.syncThreads();
        }
        if (config.launchOverlap() == LaunchOverlap.PROLOGUE) {
            b.gridLaunchDependents();
        }
    }

    /** Before a role's first access to global memory that no other role's wait comes before. */
    private void awaitLaunchesAhead(CodeBuilder b) {
        if (config.launchOverlap() != LaunchOverlap.NONE) {
            b.gridDependencyWait();
        }
    }

    private void producer(CodeBuilder b, Shared shared) {
        if (config.registers() > 0) {
            b.setMaxRegistersDecrease(config.producerRegisters());
        }
        b.role("load", 0, 1, load -> load.ifThen(load.elect(), thread -> load(thread, shared)));
        if (shared.tiles().needsRole()) {
            b.role("scheduler", 1, 1, scheduler -> schedule(scheduler, shared));
        }
    }

    private void load(CodeBuilder b, Shared shared) {
        List<OperandTile> operands = config.operandTiles();
        List<TileLookup.Maps> maps = shared.lookup().maps(b, operands);
        TileLookup.Acquiring acquiring = shared.lookup().acquiring(b);
        TmaLoader loader = new TmaLoader(
                b, shared.stages(), sharing(), config.l2Hint(), tick(), Ordering.DEFAULT, shared.cluster());
        awaitLaunchesAhead(b);
        shared.tiles().forEachTile(b, TileReader.thread(), (w, tile) -> {
            TileLookup.Found found = shared.lookup().find(w, tile);
            List<GenericAddress> mapsOfTile =
                    maps.stream().map(map -> map.of(w, found)).toList();
            acquiring.acquire(w, found, mapsOfTile, Optional.empty());
            TileLookup.Depth depth = shared.lookup().depth(w, tile, found);
            List<TmaLoader.Origin> origins = IntStream.range(0, operands.size())
                    .mapToObj(i -> new TmaLoader.Origin(
                            w.mulLo(
                                    found.place().along(operands.get(i).role()),
                                    operands.get(i).rows()),
                            mapsOfTile.get(i)))
                    .toList();
            loader.load(w, origins, depth.firstBlock(), depth.blocks());
            shared.tiles().reached(w, Throttle.LOADED);
        });
        if (config.launchOverlap() == LaunchOverlap.LOADED) {
            b.gridLaunchDependents();
        }
        if (sharing().readers() > 1) {
            loader.drain(b);
        }
    }

    private void schedule(CodeBuilder b, Shared shared) {
        Reg<Pred> elected = b.elect();
        Reg<Pred> asks = config.clusterSize() == 1
                ? elected
                : b.andPred(elected, b.eq(shared.cluster().rank(b), 0));
        b.ifThen(asks, thread -> {
            awaitLaunchesAhead(thread);
            TileCursor end = shared.tiles().forEachTile(thread, TileReader.scheduler(), (w, tile) -> {});
            shared.tiles().drain(thread, end);
        });
    }

    private void multiply(CodeBuilder b, Shared shared) {
        if (config.registers() > 0) {
            b.setMaxRegistersIncrease(config.registers());
        }
        Reg<B32> warpgroup = b.sub(b.shr(b.warpIndex(), 2), 1);
        Reg<B32> thread = b.and(b.special(SpecialRegister.TID_X), 127);
        WarpgroupPlace inTile = placeInTile(b, warpgroup);
        WgmmaMainloop mainloop =
                new WgmmaMainloop(b, config, shared.stages(), sharing(), shared.cluster(), thread, inTile);
        TileLookup lookup = shared.lookup();
        List<TileLookup.Maps> mapsD = new ArrayList<>(List.of(lookup.maps(b, Matrix.D)));
        if (config.narrowPanelN() > 0) {
            mapsD.add(lookup.maps(b, Matrix.NARROW_D));
        }
        EpilogueSteps steps = shared.steps().prepared(b);
        TmaStoreEpilogue epilogue = new TmaStoreEpilogue(b, config, shared.panels(), warpgroup, thread);
        Optional<PartialSums> partialSums = partialSums(shared, warpgroup, thread, epilogue);
        TileLookup.Acquiring acquiring = lookup.acquiring(b);
        TileLookup.Inside extents = lookup.inside(b);
        Optional<TileTrace> trace = trace(b, shared, warpgroup, thread);
        Optional<OrderBarrier> order = order(b, warpgroup);
        order.ifPresent(barrier -> {
            barrier.start(b);
            lookup.commonKBlocks()
                    .ifPresent(depth ->
                            b.ifThen(b.ne(warpgroup, 0), second -> mainloop.skip(second, depth.apply(second))));
        });
        if (config.location() == TileLocation.TABLE) {
            awaitLaunchesAhead(b);
        }
        TileReader reader = order.isPresent() ? alternating(lookup, warpgroup, mainloop) : TileReader.warps();
        shared.tiles().forEachTile(b, reader, (w, tile) -> {
            Optional<Reg<B32>> start = trace.map(t -> TileTrace.now(w));
            order.ifPresent(barrier -> barrier.begin(w));
            mainloop.issue(w, lookup.kBlocks(w, tile));
            order.ifPresent(barrier -> barrier.end(w));
            // Here rather than after finish: the last products hide it, where they are still under way.
            TileLookup.Found found = lookup.find(w, tile);
            TilePlace place = found.place();
            mainloop.finish(w);
            order.flatMap(_ -> lookup.commonKBlocks()).ifPresent(depth -> mainloop.skip(w, depth.apply(w)));
            PartialSums.Finish store = (s, panelSums) -> {
                Reg<Pred> inside = extents.of(s, found);
                Reg<B32> alongRows = config.swapAB() ? place.n() : place.m();
                Reg<B32> alongColumns = config.swapAB() ? place.m() : place.n();
                Reg<B32> row = s.mad(alongRows, Immediate.b32(config.tileRows()), inTile.row());
                List<GenericAddress> targets =
                        mapsD.stream().map(maps -> maps.of(s, found)).toList();
                acquiring.acquire(s, found, targets, Optional.of(epilogue.issues()));
                Reg<B32> column = inTile.columnOf(s, s.mulLo(alongColumns, config.tileColumns()));
                TileSteps stepsOfTile = steps.of(s, found.gemm());
                epilogue.store(s, mainloop.accumulators(), row, column, inside, targets, panelSums, stepsOfTile);
            };
            partialSums.ifPresentOrElse(
                    sums -> sums.combine(w, tile, mainloop.accumulators(), store),
                    () -> store.store(w, Optional.empty()));
            trace.ifPresent(t -> t.record(w, tile, place.m(), place.n(), start.orElseThrow()));
        });
        epilogue.drain(b);
    }

    private WarpgroupPlace placeInTile(CodeBuilder b, Reg<B32> warpgroup) {
        WarpgroupTile own = config.warpgroupTile();
        if (config.sharesColumns()) {
            return new WarpgroupPlace(b.mov(Immediate.b32(0)), Optional.of(b.mulLo(warpgroup, own.columns())));
        }
        return new WarpgroupPlace(
                switch (config.mode()) {
                    case COOPERATIVE -> b.mulLo(warpgroup, own.rows());
                    case PINGPONG -> b.mov(Immediate.b32(0));
                },
                Optional.empty());
    }

    /**
     * Every second tile, with the stages of the others left out: with those of the tile after the own one at once where
     * all tiles are as deep, otherwise of each when it is known.
     */
    private static TileReader alternating(TileLookup lookup, Reg<B32> warpgroup, WgmmaMainloop mainloop) {
        return lookup.commonKBlocks().isPresent()
                ? TileReader.alternatingWarps(warpgroup)
                : TileReader.alternatingWarps(warpgroup, (w, passed) -> mainloop.skip(w, lookup.kBlocks(w, passed)));
    }

    /** Where tiles are split along K. */
    private Optional<PartialSums> partialSums(
            Shared shared, Reg<B32> warpgroup, Reg<B32> thread, TmaStoreEpilogue epilogue) {
        return switch (shared.arguments()) {
            case KernelArguments one ->
                one.workspace()
                        .map(sums -> new SumsWorkspace(
                                config, sums, one.arrivals().orElseThrow(), shared.cluster(), warpgroup, thread))
                        .map(workspace -> new PartialSums(config, workspace, epilogue));
            case TableArguments _ -> Optional.empty();
        };
    }

    /** In the traced twin; one thread writes for a tile, or a piece of one. */
    private Optional<TileTrace> trace(CodeBuilder b, Shared shared, Reg<B32> warpgroup, Reg<B32> thread) {
        return shared.arguments().trace().map(buffer -> {
            Reg<Pred> first = b.eq(thread, 0);
            Reg<Pred> records = switch (config.mode()) {
                case COOPERATIVE -> b.andPred(first, b.eq(warpgroup, 0));
                case PINGPONG -> first;
            };
            return new TileTrace(shared.cluster(), buffer, records);
        });
    }

    private Optional<OrderBarrier> order(CodeBuilder b, Reg<B32> warpgroup) {
        return switch (config.mode()) {
            case COOPERATIVE -> Optional.empty();
            case PINGPONG -> Optional.of(new OrderBarrier(ORDER_BARRIER, b.eq(warpgroup, 0)));
        };
    }
}
