package dev.tilewright.gemm.sm90;

import dev.tilewright.gemm.epilogue.ClusterReduction;
import dev.tilewright.gemm.epilogue.ClusterSums;
import dev.tilewright.gemm.epilogue.EpilogueSteps;
import dev.tilewright.gemm.epilogue.Reduction;
import dev.tilewright.gemm.epilogue.SumsWorkspace;
import dev.tilewright.gemm.epilogue.TmaStoreEpilogue;
import dev.tilewright.gemm.epilogue.WorkspaceReduction;
import dev.tilewright.gemm.kernel.KernelArguments;
import dev.tilewright.gemm.kernel.KernelTraits;
import dev.tilewright.gemm.kernel.LaunchFacts;
import dev.tilewright.gemm.kernel.Role;
import dev.tilewright.gemm.kernel.SchedulerChoice;
import dev.tilewright.gemm.kernel.TableArguments;
import dev.tilewright.gemm.kernel.TileArguments;
import dev.tilewright.gemm.kernel.TileBody;
import dev.tilewright.gemm.kernel.TileLookup;
import dev.tilewright.gemm.kernel.TilePlan;
import dev.tilewright.gemm.kernel.TilePlan.FailedQueries;
import dev.tilewright.gemm.kernel.TileTrace;
import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.gemm.kernel.TileWalk.Found;
import dev.tilewright.gemm.mainloop.BlockScaledMainloop;
import dev.tilewright.gemm.mainloop.BlockScales;
import dev.tilewright.gemm.mainloop.ClusterSharing;
import dev.tilewright.gemm.mainloop.Loader;
import dev.tilewright.gemm.mainloop.OperandStages;
import dev.tilewright.gemm.mainloop.StageLayout;
import dev.tilewright.gemm.mainloop.StageScales;
import dev.tilewright.gemm.mainloop.TimerTick;
import dev.tilewright.gemm.mainloop.TmaLoader;
import dev.tilewright.gemm.mainloop.Warpgroup;
import dev.tilewright.gemm.mainloop.WarpgroupMainloop;
import dev.tilewright.gemm.mainloop.WgmmaMainloop;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.scheduler.TileCursor;
import dev.tilewright.gemm.scheduler.TileReader;
import dev.tilewright.gemm.scheduler.TileScheduler;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.space.parameter.LaunchOverlap;
import dev.tilewright.space.parameter.Throttle;
import dev.tilewright.space.parameter.TileLocation;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.Optional;

/**
 * D[M,N] = A[M,K] · B[N,K]ᵀ, f32 accumulated, of the types and layouts of
 * {@link dev.tilewright.space.sm90.Sm90Operands}; D row-major. M, N and K are any that the family accepts: boxes
 * outside the operands are read as zeros, and stores are clipped. {@code docs/kernels/sm90-gemm.md} shows the whole of
 * it.
 *
 * <pre>
 *   warps       role        does                                                       registers
 *   0..3        supply      gives registers away; its warps are the next three rows    40 or 24
 *   0           load        one thread: TMA of A and B, stage by stage
 *   1           scheduler   one thread of rank 0: asks for tiles (atomic alone)
 *   2, 3        -           leave at once
 *   4..7        multiply    wgmma, then the epilogue                                   registers
 *   8.., 12..   multiply    another part of the tile, or another tile (pingpong)       registers
 *
 *   pipeline    slots       full                            empty
 *   load        loadStages  1 arrival + bytes of A and B    each warpgroup of a tile, of each CTA that shares
 *                           and of scales of A              (each warp, where blocks are scaled)
 *   tile        1 or 2      1 arrival of the scheduler      each multiply warp and load thread of the cluster, and
 *                                                           the scheduler, which reads its own answers
 *   order       -           pingpong: named barriers 5, 6: one warpgroup issues its mainloop, the other stores
 * </pre>
 *
 * Where launches overlap, barriers are made and maps prefetched while the launch ahead still works. Before its first
 * access to global memory each role waits until that has ended. Multiplying warps need not: they store what was loaded
 * behind the loading thread's wait, and wait themselves only if they look up a table or ask for scales first. No launch
 * ends before its own wait, so to wait for the one ahead is to wait for all.
 *
 * <p>CTAs of a cluster do not meet at the end: a cluster barrier that releases would wait for all that was stored. The
 * load thread of one whose stages others read stays until they have been handed back, the scheduler until its ring has.
 * Where CTAs share the depth of a tile, multiplying warps stay until their sums have been read.
 *
 * <p>Shared memory, in this order: stages (A, then B), panels of the epilogue, scales of the stages, room for sums of
 * other parts of K, barriers of the stages, records of the tile ring and its barriers, barriers of the sums.
 */
final class Sm90Kernel {

    private static final int WARPGROUP_WARPS = 4;
    private static final Role SUPPLY =
            new Role("supply", 0, WARPGROUP_WARPS, "gives registers away, then its warps part");
    private static final Role LOAD = new Role("load", 0, 1, "one thread loads A and B by TMA, stage by stage");
    private static final Role SCHEDULER = new Role("scheduler", 1, 1, "one thread of rank 0 asks for tiles");

    private final Sm90Config config;
    private final KernelTraits traits;

    Sm90Kernel(Sm90Config config, KernelTraits traits) {
        this.config = config;
        this.traits = traits;
    }

    /** Declarations that all roles use. */
    private record Shared(
            TileArguments arguments,
            OperandStages stages,
            SharedRegion panels,
            ClusterPlace cluster,
            TileScheduler tiles,
            TileLookup lookup,
            Optional<StageScales> scales,
            EpilogueSteps steps,
            Optional<ClusterSums> sums) {}

    /** @param params takes what a launch passes for each parameter */
    void build(EntryBuilder entry, BoundParams<LaunchFacts> params) {
        TileArguments arguments =
                TileArguments.declare(params, traits, config.schedule().location());
        Optional<BlockScales> scales = config.operands().scales() == Scales.BLOCK
                ? Optional.of(BlockScales.declare(params, config.multiply().tileM()))
                : Optional.empty();
        EpilogueSteps steps = EpilogueSteps.declare(
                params,
                config.operands().epilogue().behind(config.operands().scales()),
                arguments.scale(),
                config.operands().types().d(),
                config.schedule().location() == TileLocation.TABLE,
                LaunchFacts::problem);
        params.params().forEach(entry::param);
        entry.launchBounds(config.multiply().threads(), config.multiply().ctasPerSm());
        if (config.cluster().size() > 1) {
            entry.cluster(config.cluster().size(), 1, 1);
        }
        SharedRegion stageData = OperandStages.declareData(entry, layout());
        SharedRegion panels = TmaStoreEpilogue.declare(entry, config);
        Optional<StageScales> ofStages = scales.map(of -> StageScales.declare(entry, config, of));
        Optional<SharedRegion> room = ClusterSums.declareRoom(entry, config);
        OperandStages stages = OperandStages.declareBarriers(
                entry,
                layout(),
                config.multiply().warpgroupsPerTile() * handBacks() * sharing().readers(),
                stageData);
        SchedulerChoice choice = SchedulerChoice.declare(
                entry, config.schedule().scheduler(), config.schedule().ring(), ringReaders());
        Optional<ClusterSums> sums = room.map(region -> ClusterSums.declareBarriers(entry, config, region));
        entry.code(b -> {
            ClusterPlace cluster = new ClusterPlace(
                    config.cluster().m(), config.cluster().n(), config.split().parts());
            TilePlan plan = TilePlan.of(b, arguments, traits, cluster, choice, FailedQueries.NOT_COUNTED);
            Shared shared =
                    new Shared(arguments, stages, panels, cluster, plan.tiles(), plan.lookup(), ofStages, steps, sums);
            prologue(b, shared);
            SUPPLY.open(b, supply -> supply(supply, shared));
            multipliers().open(b, multiply -> multiply(multiply, shared));
            b.ret();
        });
    }

    /** How often a warpgroup hands a stage back: once, or by each warp where its lanes have read scales. */
    private int handBacks() {
        return config.scales().exist() ? WARPGROUP_WARPS : 1;
    }

    private StageLayout layout() {
        return new StageLayout(config.load().stages(), config.load().operandTiles());
    }

    private ClusterSharing sharing() {
        return new ClusterSharing(
                layout(), config.cluster().m(), config.cluster().n(), CtaGroup.ONE);
    }

    private Role multipliers() {
        int warps = config.multiply().consumers() * WARPGROUP_WARPS;
        return new Role("multiply", WARPGROUP_WARPS, warps, "each warpgroup multiplies by wgmma, then stores its sums");
    }

    /** The load thread and the multiply warps of each CTA, and the scheduler. */
    private int ringReaders() {
        return config.cluster().size() * (config.multiply().consumers() * WARPGROUP_WARPS + 1) + 1;
    }

    private Optional<TimerTick> tick() {
        return switch (config.load().start()) {
            case FREE -> Optional.empty();
            case TICK -> Optional.of(TimerTick.every(config.load().tickNs()));
        };
    }

    /** Barriers are made by one thread and seen by all, in the whole cluster, before anybody arrives at one. */
    private void prologue(CodeBuilder b, Shared shared) {
        b.comment("prologue: one thread makes the barriers");
        b.ifThen(b.eq(b.special(SpecialRegister.TID_X), 0), first -> {
            shared.arguments().prefetchMaps(first);
            shared.scales().ifPresent(scales -> scales.prefetchMap(first));
            shared.stages().pipeline().initialize(first);
            shared.tiles().initializeShared(first);
            shared.sums().ifPresent(sums -> sums.initialize(first));
            first.fenceBarrierInit();
        });
        if (config.cluster().size() > 1) {
            b.comment("wait until all threads of the cluster can see the barriers");
            b.clusterArrive(Sem.RELAXED);
            b.clusterWait();
        } else {
            b.comment("wait until all threads of the CTA can see the barriers");
            b.syncThreads();
        }
        if (config.schedule().launchOverlap() == LaunchOverlap.PROLOGUE) {
            b.gridLaunchDependents();
        }
    }

    /** Before a role's first access to global memory that no other role's wait comes before. */
    private void awaitLaunchesAhead(CodeBuilder b) {
        if (config.schedule().launchOverlap() != LaunchOverlap.NONE) {
            b.comment("wait until the launches ahead have ended");
            b.gridDependencyWait();
        }
    }

    private void supply(CodeBuilder b, Shared shared) {
        if (config.multiply().registers() > 0) {
            b.setMaxRegistersDecrease(config.multiply().producerRegisters());
        }
        LOAD.open(b, load -> load.ifThen(load.elect(), thread -> load(thread, shared)));
        if (shared.tiles().needsRole()) {
            SCHEDULER.open(b, scheduler -> schedule(scheduler, shared));
        }
    }

    private void load(CodeBuilder b, Shared shared) {
        TileWalk walk = shared.lookup().begin(b, traits.inputs());
        Loader loader = loader(b, shared, walk);
        awaitLaunchesAhead(b);
        shared.tiles().forEachTile(b, TileReader.thread(), (w, number) -> {
            Found tile = walk.find(w, number);
            Loader.Loading loading = loader.begin(w, tile);
            w.doWhile("load k", k -> {
                SharedAddress full = loading.acquire(k);
                loading.load(k, full);
                return loading.commit(k);
            });
            shared.tiles().reached(w, Throttle.LOADED);
        });
        if (config.schedule().launchOverlap() == LaunchOverlap.LOADED) {
            b.gridLaunchDependents();
        }
        if (sharing().readers() > 1) {
            loader.drain(b);
        }
    }

    private Loader loader(CodeBuilder b, Shared shared, TileWalk walk) {
        TmaLoader.Manner manner =
                new TmaLoader.Manner(config.load().l2Hint(), tick(), Ordering.DEFAULT, OperandRole.A, shared.scales());
        return new TmaLoader(b, shared.stages(), sharing(), manner, shared.cluster(), walk);
    }

    private void schedule(CodeBuilder b, Shared shared) {
        Reg<Pred> elected = b.elect();
        Reg<Pred> asks = config.cluster().size() == 1
                ? elected
                : b.andPred(elected, b.eq(shared.cluster().rank(b), 0));
        b.ifThen(asks, thread -> {
            awaitLaunchesAhead(thread);
            TileCursor end = shared.tiles().forEachTile(thread, TileReader.scheduler(), (w, tile) -> {});
            shared.tiles().drain(thread, end);
        });
    }

    private void multiply(CodeBuilder b, Shared shared) {
        Multiplier own = multiplier(b, shared);
        TileBody body = (w, number) -> {
            own.turns().begin(w);
            WarpgroupMainloop.TileProducts products = own.mainloop().begin(w, own.walk(), number);
            w.doWhile("multiply k", k -> {
                products.await(k);
                products.multiply(k);
                return products.release(k);
            });
            own.turns().end(w);
            // Here rather than after finish: the last products hide it, where they are still under way.
            Found tile = products.tile(w);
            products.finish(w);
            own.turns().pass(w);
            own.reduction().store(w, tile, own.mainloop().sums());
            return tile;
        };
        shared.tiles().forEachTile(b, own.turns().reader(), body.traced(own.trace()));
        own.reduction().drain(b);
        own.epilogue().drain(b);
    }

    /** The parts of a warpgroup that multiplies, prepared once for all of its tiles. */
    private record Multiplier(
            WarpgroupMainloop mainloop,
            TileWalk walk,
            Turns turns,
            Reduction reduction,
            TmaStoreEpilogue epilogue,
            Optional<TileTrace> trace) {}

    private Multiplier multiplier(CodeBuilder b, Shared shared) {
        if (config.multiply().registers() > 0) {
            b.setMaxRegistersIncrease(config.multiply().registers());
        }
        Warpgroup own = Warpgroup.of(b, config);
        WarpgroupMainloop mainloop = mainloop(b, shared, own);
        TileWalk walk = shared.lookup().begin(b, traits.outputs());
        TmaStoreEpilogue epilogue = new TmaStoreEpilogue(b, config, shared.panels(), walk, shared.steps(), own);
        Optional<TileTrace> trace = trace(b, shared, own);
        Turns turns = Turns.of(b, config, shared.lookup(), mainloop, walk, own);
        if (config.schedule().location() == TileLocation.TABLE
                || config.operands().blockScaled()) {
            awaitLaunchesAhead(b);
        }
        return new Multiplier(mainloop, walk, turns, reduction(b, shared, epilogue, own), epilogue, trace);
    }

    private WarpgroupMainloop mainloop(CodeBuilder b, Shared shared, Warpgroup own) {
        return shared.scales()
                .<WarpgroupMainloop>map(scales ->
                        new BlockScaledMainloop(b, config, scales, shared.stages(), sharing(), shared.cluster(), own))
                .orElseGet(() -> new WgmmaMainloop(b, config, shared.stages(), sharing(), shared.cluster(), own));
    }

    /** Tiles that are split along K are added up in the cluster or in a workspace. */
    private Reduction reduction(CodeBuilder b, Shared shared, TmaStoreEpilogue epilogue, Warpgroup own) {
        return shared.sums()
                .<Reduction>map(sums -> new ClusterReduction(b, config, sums, shared.cluster(), epilogue, own))
                .orElseGet(() -> switch (shared.arguments()) {
                    case TableArguments _ -> epilogue.ofWholeTiles();
                    case KernelArguments one -> ofPieces(one, shared, epilogue, own);
                });
    }

    private Reduction ofPieces(KernelArguments one, Shared shared, TmaStoreEpilogue epilogue, Warpgroup own) {
        return one.workspace()
                .map(sums -> new SumsWorkspace(config, sums, one.arrivals().orElseThrow(), shared.cluster(), own))
                .<Reduction>map(workspace -> new WorkspaceReduction(config, workspace, epilogue))
                .orElseGet(epilogue::ofWholeTiles);
    }

    /** In the traced twin; one thread writes for a tile, or a piece of one. */
    private Optional<TileTrace> trace(CodeBuilder b, Shared shared, Warpgroup own) {
        return shared.arguments().trace().map(buffer -> {
            Reg<Pred> first = b.eq(own.thread(), 0);
            Reg<Pred> records = switch (config.multiply().mode()) {
                case COOPERATIVE -> b.andPred(first, b.eq(own.index(), 0));
                case PINGPONG -> first;
            };
            return new TileTrace(shared.cluster(), buffer, records);
        });
    }
}
