package dev.tilewright.gemm.sm100;

import dev.tilewright.gemm.epilogue.EpilogueSteps;
import dev.tilewright.gemm.epilogue.TensorMemoryEpilogue;
import dev.tilewright.gemm.kernel.KernelTraits;
import dev.tilewright.gemm.kernel.LaunchFacts;
import dev.tilewright.gemm.kernel.Role;
import dev.tilewright.gemm.kernel.SchedulerChoice;
import dev.tilewright.gemm.kernel.TileArguments;
import dev.tilewright.gemm.kernel.TileBody;
import dev.tilewright.gemm.kernel.TileLookup;
import dev.tilewright.gemm.kernel.TilePlan;
import dev.tilewright.gemm.kernel.TilePlan.FailedQueries;
import dev.tilewright.gemm.kernel.TileTrace;
import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.gemm.kernel.TileWalk.Found;
import dev.tilewright.gemm.mainloop.AccumulatorSlots;
import dev.tilewright.gemm.mainloop.ClusterSharing;
import dev.tilewright.gemm.mainloop.InstructionDescriptor;
import dev.tilewright.gemm.mainloop.Loader;
import dev.tilewright.gemm.mainloop.Mainloop;
import dev.tilewright.gemm.mainloop.OperandStages;
import dev.tilewright.gemm.mainloop.StageLayout;
import dev.tilewright.gemm.mainloop.TensorMainloop;
import dev.tilewright.gemm.mainloop.TmaLoader;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.scheduler.TileReader;
import dev.tilewright.gemm.scheduler.TileScheduler;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.space.parameter.L2Hint;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.parameter.Throttle;
import dev.tilewright.space.parameter.TileLocation;
import dev.tilewright.space.sm100.Sm100Config;
import java.util.List;
import java.util.Optional;

/**
 * D[M,N] = A[M,K] · B[N,K]ᵀ, f32 accumulated in tensor memory; A and B K-major, D row-major. M, N and K are any that
 * the family accepts: boxes outside the operands are read as zeros, and stores are clipped.
 * {@code docs/kernels/sm100-gemm.md} shows the whole of it.
 *
 * <pre>
 *   warps       role        does
 *   0           load        one thread: TMA of A and B, stage by stage
 *   1           multiply    one thread (of the leader in a pair): tcgen05; the whole warp allocates tensor memory
 *   2           scheduler   one thread of rank 0: asks for tiles (atomic and clc)
 *   3           -           waits at the end
 *   4..7        epilogue    accumulators from tensor memory to D
 *
 *   pipeline     slots               full                            empty
 *   load         loadStages          1 arrival + bytes of A and B    a commit of each group that reads what the CTA loads
 *   accumulator  accumulatorStages   a commit                        each epilogue warp of the group
 *   tile         clcStages           1 arrival (+ 16 bytes)          each thread and warp that reads it, of all CTAs
 * </pre>
 *
 * Shared memory, in this order: stages (A, then B), panels of the epilogue, barriers of the stages, barriers of the
 * accumulators, the address of tensor memory, records of the tile ring and its barriers.
 */
final class Sm100Kernel {

    private static final Role LOAD = new Role("load", 0, 1, "one thread loads A and B by TMA, stage by stage");
    private static final Role MULTIPLY =
            new Role("multiply", 1, 1, "one thread, of the leader in a pair, multiplies by tcgen05");
    private static final Role SCHEDULER = new Role("scheduler", 2, 1, "one thread of rank 0 asks for tiles");
    private static final Role EPILOGUE = new Role("epilogue", 4, 4, "sums from tensor memory to D");

    private final Sm100Config config;
    private final KernelTraits traits;
    private final CtaGroup group;

    Sm100Kernel(Sm100Config config, KernelTraits traits) {
        this.config = config;
        this.traits = traits;
        this.group = config.multiply().ctaGroup() == 1 ? CtaGroup.ONE : CtaGroup.TWO;
    }

    /** Declarations that all roles use. */
    private record Shared(
            TileArguments arguments,
            OperandStages stages,
            AccumulatorSlots accumulators,
            TensorMemoryEpilogue.Panels panels,
            ClusterPlace cluster,
            TileScheduler tiles,
            TileLookup lookup,
            EpilogueSteps steps) {}

    /** @param params takes what a launch passes for each parameter */
    void build(EntryBuilder entry, BoundParams<LaunchFacts> params) {
        TileArguments arguments =
                TileArguments.declare(params, traits, config.schedule().location());
        EpilogueSteps steps = EpilogueSteps.declare(
                params,
                config.steps().behind(config.scales()),
                arguments.scale(),
                config.outputType(),
                config.schedule().location() == TileLocation.TABLE,
                LaunchFacts::problem);
        params.params().forEach(entry::param);
        entry.launchBounds(config.threads(), 1);
        if (config.cluster().size() > 1) {
            entry.cluster(config.cluster().size(), 1, 1);
        }
        SharedRegion stageData = OperandStages.declareData(entry, layout());
        TensorMemoryEpilogue.Panels panels = TensorMemoryEpilogue.Panels.declare(
                entry, Sm100Config.CTA_ROWS, config.epilogue().panelN(), config.outputType());
        OperandStages stages =
                OperandStages.declareBarriers(entry, layout(), sharing().readers(), stageData);
        AccumulatorSlots accumulators = AccumulatorSlots.declare(
                entry,
                config.multiply().accumulatorStages(),
                config.multiply().tileN(),
                config.multiply().tensorColumns(),
                group,
                EPILOGUE.warps(),
                severalTiles());
        SchedulerChoice choice = SchedulerChoice.declare(
                entry, config.schedule().scheduler(), config.schedule().ring(), ringReaders());
        entry.code(b -> {
            ClusterPlace cluster =
                    new ClusterPlace(config.cluster().m(), config.cluster().n());
            TilePlan plan = TilePlan.of(b, arguments, traits, cluster, choice, FailedQueries.COUNTED);
            Shared shared =
                    new Shared(arguments, stages, accumulators, panels, cluster, plan.tiles(), plan.lookup(), steps);
            prologue(b, shared);
            Reg<B32> tensorBase = accumulators.tensorBase(b);
            LOAD.open(b, load -> load.ifThen(load.elect(), thread -> load(thread, shared)));
            MULTIPLY.open(b, multiply -> multiply(multiply, shared, tensorBase));
            if (shared.tiles().needsRole()) {
                SCHEDULER.open(b, scheduler -> schedule(scheduler, shared));
            }
            EPILOGUE.open(b, epilogue -> epilogue(epilogue, shared, tensorBase));
            end(b, shared, tensorBase);
        });
    }

    private StageLayout layout() {
        return new StageLayout(config.load().stages(), config.load().operandTiles());
    }

    /** Whether a CTA may get more than one. */
    private boolean severalTiles() {
        return config.schedule().scheduler() != Scheduler.SINGLE;
    }

    private ClusterSharing sharing() {
        return new ClusterSharing(
                layout(), config.cluster().m(), config.cluster().n(), group);
    }

    /** The load thread and the epilogue warps of each CTA, the thread of each group that multiplies, the scheduler. */
    private int ringReaders() {
        int groups = config.cluster().size() / config.multiply().ctaGroup();
        return config.cluster().size() * (1 + EPILOGUE.warps()) + groups + 1;
    }

    /** Barriers and tensor memory are there for all, in the whole cluster, before anybody uses them. */
    private void prologue(CodeBuilder b, Shared shared) {
        b.comment("prologue: one thread makes the barriers, one warp allocates tensor memory");
        b.ifThen(b.eq(b.special(SpecialRegister.TID_X), 0), first -> {
            shared.arguments().prefetchMaps(first);
            shared.stages().pipeline().initialize(first);
            shared.accumulators().initializeBarriers(first);
            shared.tiles().initializeShared(first);
            first.fenceBarrierInit();
        });
        b.ifThen(
                b.eq(b.warpIndex(), MULTIPLY.firstWarp()),
                warp -> shared.accumulators().allocate(warp));
        meet(b);
    }

    /**
     * All threads of the cluster meet. No tcgen05 fence is needed here: allocation and deallocation are synchronous,
     * and every other tcgen05 instruction stands behind a wait for a barrier with a fence of its own (PTX 9.7.16.6.1).
     */
    private void meet(CodeBuilder b) {
        if (config.cluster().size() > 1) {
            b.comment("wait until all threads of the cluster meet");
            b.clusterSync();
        } else {
            b.comment("wait until all threads of the CTA meet");
            b.syncThreads();
        }
    }

    private void load(CodeBuilder b, Shared shared) {
        TileWalk walk = shared.lookup().begin(b, traits.inputs());
        Loader loader = loader(b, shared, walk);
        shared.tiles().forEachTile(b, TileReader.thread(), (w, number) -> {
            shared.tiles().reached(w, Throttle.LOAD);
            Found tile = walk.find(w, number);
            Loader.Loading loading = loader.begin(w, tile);
            w.doWhile("load k", k -> {
                SharedAddress full = loading.acquire(k);
                loading.load(k, full);
                return loading.commit(k);
            });
            shared.tiles().reached(w, Throttle.LOADED);
        });
        loader.drain(b);
    }

    private Loader loader(CodeBuilder b, Shared shared, TileWalk walk) {
        TmaLoader.Manner manner = new TmaLoader.Manner(
                L2Hint.NONE, Optional.empty(), Ordering.relaxed(Scope.CTA), OperandRole.B, Optional.empty());
        return new TmaLoader(b, shared.stages(), sharing(), manner, shared.cluster(), walk);
    }

    private void multiply(CodeBuilder b, Shared shared, Reg<B32> tensorBase) {
        b.ifThen(multiplies(b, shared), thread -> {
            Mainloop mainloop = mainloop(thread, shared, tensorBase);
            TileWalk walk = shared.lookup().begin(thread, List.of());
            shared.tiles().forEachTile(thread, multiplier(), (w, number) -> {
                Mainloop.Products products = mainloop.begin(w, walk, number);
                w.doWhile("multiply k", k -> {
                    products.await(k);
                    products.multiply(k);
                    return products.release(k);
                });
                products.finish(w);
                shared.tiles().reached(w, Throttle.MAINLOOP);
            });
        });
    }

    /** One thread, of the leader in a pair. */
    private Reg<Pred> multiplies(CodeBuilder b, Shared shared) {
        Reg<Pred> elected = b.elect();
        return switch (group) {
            case ONE -> elected;
            case TWO -> b.andPred(elected, shared.cluster().pair(b).isLeader());
        };
    }

    private Mainloop mainloop(CodeBuilder b, Shared shared, Reg<B32> tensorBase) {
        InstructionDescriptor instruction = new InstructionDescriptor(
                config.inputType(), config.multiply().tileM(), config.multiply().tileN());
        return new TensorMainloop(
                b, shared.stages(), shared.accumulators(), instruction, sharing(), shared.cluster(), tensorBase);
    }

    /** The k blocks of one GEMM are the same for all tiles. */
    private TileReader multiplier() {
        return switch (config.schedule().location()) {
            case RASTER -> TileReader.thread().toldWhether();
            case TABLE -> TileReader.thread();
        };
    }

    private void schedule(CodeBuilder b, Shared shared) {
        TileReader scheduler = shared.arguments().trace().isPresent()
                ? TileReader.scheduler()
                : TileReader.scheduler().toldWhether();
        Reg<Pred> elected = b.elect();
        Reg<Pred> asks = config.cluster().size() == 1
                ? elected
                : b.andPred(elected, b.eq(shared.cluster().rank(b), 0));
        b.ifThen(asks, thread -> shared.tiles().forEachTile(thread, scheduler, (w, tile) -> {}));
    }

    private void epilogue(CodeBuilder b, Shared shared, Reg<B32> tensorBase) {
        Reg<B32> thread = b.and(b.special(SpecialRegister.TID_X), 127);
        TensorMemoryEpilogue epilogue = new TensorMemoryEpilogue(
                b, shared.panels(), shared.accumulators(), shared.cluster(), tensorBase, shared.steps(), thread);
        TileWalk walk = shared.lookup().begin(b, traits.outputs());
        Optional<TileTrace> trace =
                shared.arguments().trace().map(buffer -> new TileTrace(shared.cluster(), buffer, b.eq(thread, 0)));
        TileBody body = (w, number) -> {
            Found tile = walk.find(w, number);
            epilogue.store(w, walk, tile);
            return tile;
        };
        shared.tiles().forEachTile(b, TileReader.warps(), body.traced(trace));
        epilogue.drain(b);
    }

    /**
     * Nobody may leave while another CTA still arrives at its barriers or sends it data; nobody may reach into tensor
     * memory once it is given back.
     */
    private void end(CodeBuilder b, Shared shared, Reg<B32> tensorBase) {
        meet(b);
        b.ifThen(
                b.eq(b.warpIndex(), MULTIPLY.firstWarp()),
                warp -> shared.accumulators().deallocate(warp, tensorBase));
        b.ret();
    }
}
