package dev.tilewright.gemm.sm90;

import dev.tilewright.gemm.epilogue.TmaStoreEpilogue;
import dev.tilewright.gemm.kernel.KernelArguments;
import dev.tilewright.gemm.kernel.KernelTraits;
import dev.tilewright.gemm.kernel.SchedulerChoice;
import dev.tilewright.gemm.kernel.TilePlace;
import dev.tilewright.gemm.kernel.TileTrace;
import dev.tilewright.gemm.mainloop.ClusterSharing;
import dev.tilewright.gemm.mainloop.OperandStages;
import dev.tilewright.gemm.mainloop.OperandTile;
import dev.tilewright.gemm.mainloop.StageLayout;
import dev.tilewright.gemm.mainloop.TmaLoader;
import dev.tilewright.gemm.mainloop.WgmmaMainloop;
import dev.tilewright.gemm.pipeline.TurnTaking;
import dev.tilewright.gemm.raster.RasterCode;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.scheduler.TileReader;
import dev.tilewright.gemm.scheduler.TileScheduler;
import dev.tilewright.gemm.space.RingPlan;
import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.gemm.space.Sm90Operands;
import dev.tilewright.model.problem.Major;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.Optional;

/**
 * D[M,N] = A[M,K] · B[N,K]ᵀ, f32 accumulated, of the types and layouts of
 * {@link dev.tilewright.gemm.space.Sm90Operands}; D row-major. M, N and K are any that the family accepts: boxes
 * outside the operands are read as zeros, and stores are clipped. {@code docs/kernels/sm90-gemm.md} shows the whole of
 * it.
 *
 * <pre>
 *   warps       role        does                                                       registers
 *   0           load        one thread: TMA of A and B, stage by stage                 40 or 24
 *   1           scheduler   one thread of rank 0: asks for tiles (atomic alone)
 *   2, 3        -           wait at the end
 *   4..7        multiply    wgmma, then the epilogue                                   registers
 *   8..11       multiply    the other half of the tile, or another tile (pingpong)     registers
 *
 *   pipeline    slots       full                            empty
 *   load        loadStages  1 arrival + bytes of A and B    each warpgroup of a tile, of each CTA that shares
 *   tile        1 or 2      1 arrival of the scheduler      each multiply warp and load thread of the cluster, and
 *                                                           the scheduler, which reads its own answers
 *   turns       -           pingpong: named barriers 5, 6: one warpgroup issues its mainloop, the other stores
 * </pre>
 *
 * Shared memory, in this order: stages (A, then B), panels of the epilogue, barriers of the stages, records of the tile
 * ring and its barriers.
 */
final class Sm90Kernel {

    private static final int WARPGROUP_WARPS = 4;
    /** Named barriers of the two warpgroups that take turns; the epilogue has 1 and 2. */
    private static final int TURN_BARRIER = 5;

    private final Sm90Config config;
    private final KernelTraits traits;

    Sm90Kernel(Sm90Config config, KernelTraits traits) {
        this.config = config;
        this.traits = traits;
    }

    /** What all roles look at. */
    private record Shared(
            KernelArguments arguments,
            OperandStages stages,
            SharedRegion panels,
            Reg<B32> base,
            ClusterPlace cluster,
            TileScheduler tiles,
            TilePlace.Finder places,
            Reg<B32> kBlocks) {}

    void build(EntryBuilder entry) {
        KernelArguments arguments = KernelArguments.declare(entry, traits);
        entry.launchBounds(config.threads(), 1);
        if (config.clusterSize() > 1) {
            entry.cluster(config.clusterSize(), 1, 1);
        }
        SharedRegion stageData = OperandStages.declareData(entry, layout());
        SharedRegion panels = TmaStoreEpilogue.declare(entry, config);
        OperandStages stages = OperandStages.declareBarriers(
                entry, layout(), config.warpgroupsPerTile() * config.sharers(), stageData);
        SchedulerChoice choice = SchedulerChoice.declare(
                entry,
                config.scheduler(),
                RingPlan.of(Math.max(1, config.ringSlots())),
                config.clusterSize() * (config.consumers() * WARPGROUP_WARPS + 1) + 1);
        entry.code(b -> {
            Reg<B32> base = b.sharedBase();
            ClusterPlace cluster = ClusterPlace.read(b, config.clusterM(), config.clusterN());
            RasterCode raster = RasterCode.of(
                    b,
                    b.param32(arguments.clusterTilesM()),
                    b.param32(arguments.clusterTilesN()),
                    b.param32(arguments.rasterGroup()),
                    b.param32(arguments.rasterAlongN()));
            TileScheduler tiles = choice.build(b, arguments, cluster, base, Optional.empty());
            TilePlace.Finder places = new TilePlace.Finder(raster, cluster, config.clusterM(), config.clusterN());
            Shared shared =
                    new Shared(arguments, stages, panels, base, cluster, tiles, places, b.param32(arguments.kBlocks()));
            prologue(b, shared);
            b.role("producer", 0, WARPGROUP_WARPS, producer -> producer(producer, shared));
            b.role(
                    "multiply",
                    WARPGROUP_WARPS,
                    config.consumers() * WARPGROUP_WARPS,
                    consumer -> multiply(consumer, shared));
            if (config.clusterSize() > 1) {
                // Nobody may leave while another CTA still arrives at its barriers or sends it data.
                b.clusterArrive(Sem.RELAXED);
                b.clusterWait();
            }
            b.ret();
        });
    }

    private StageLayout layout() {
        Sm90Operands operands = config.operands();
        return new StageLayout(
                config.loadStages(), tile(operands.majorA(), config.tileM()), tile(operands.majorB(), config.tileN()));
    }

    private OperandTile tile(Major major, int rows) {
        return new OperandTile(major, rows, config.tileK(), config.operands().inputBytes(), config.swizzle());
    }

    /** Barriers are made by one thread and seen by all, in the whole cluster, before anybody arrives at one. */
    private void prologue(CodeBuilder b, Shared shared) {
        b.ifThen(b.eq(b.special(SpecialRegister.TID_X), 0), first -> {
            first.prefetchTensorMap(first.tensorMap(shared.arguments().mapA()));
            first.prefetchTensorMap(first.tensorMap(shared.arguments().mapB()));
            first.prefetchTensorMap(first.tensorMap(shared.arguments().mapD()));
            shared.stages().pipeline().initialize(first, shared.base());
            shared.tiles().initializeShared(first);
            first.fenceBarrierInit();
        });
        if (config.clusterSize() > 1) {
            b.clusterArrive(Sem.RELAXED);
            b.clusterWait();
        } else {
            b.syncThreads();
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
        GenericAddress mapA = b.tensorMap(shared.arguments().mapA());
        GenericAddress mapB = b.tensorMap(shared.arguments().mapB());
        ClusterSharing sharing =
                new ClusterSharing(config.multicast(), config.clusterM(), config.clusterN(), CtaGroup.ONE);
        TmaLoader loader = new TmaLoader(
                b, shared.stages(), sharing, config.l2Hint(), Ordering.DEFAULT, shared.cluster(), shared.base());
        shared.tiles().forEachTile(b, TileReader.thread(), (w, tile) -> {
            TilePlace place = shared.places().of(w, tile);
            loader.load(
                    w,
                    w.mulLo(place.m(), config.tileM()),
                    w.mulLo(place.n(), config.tileN()),
                    shared.kBlocks(),
                    mapA,
                    mapB);
        });
    }

    private void schedule(CodeBuilder b, Shared shared) {
        Reg<Pred> elected = b.elect();
        Reg<Pred> asks = config.clusterSize() == 1
                ? elected
                : b.andPred(elected, b.eq(shared.cluster().rank(), 0));
        b.ifThen(asks, thread -> shared.tiles().forEachTile(thread, TileReader.scheduler(), (w, tile) -> {}));
    }

    private void multiply(CodeBuilder b, Shared shared) {
        if (config.registers() > 0) {
            b.setMaxRegistersIncrease(config.registers());
        }
        Reg<B32> warpgroup = b.sub(b.shr(b.warpIndex(), 2), 1);
        Reg<B32> thread = b.and(b.special(SpecialRegister.TID_X), 127);
        int rows = config.mmaPerWarpgroup() * Sm90Config.MMA_ROWS;
        Reg<B32> rowInTile = b.b32();
        switch (config.mode()) {
            case COOPERATIVE -> b.mulLo(rowInTile, warpgroup, rows);
            case PINGPONG -> b.mov(rowInTile, 0);
        }
        WgmmaMainloop mainloop = new WgmmaMainloop(b, config, shared.stages(), shared.base(), thread, rowInTile);
        GenericAddress mapD = b.tensorMap(shared.arguments().mapD());
        GenericAddress narrowMapD =
                shared.arguments().narrowMapD().map(b::tensorMap).orElse(mapD);
        Optional<Reg<F32>> scale = shared.arguments().scale().map(b::paramF32);
        TmaStoreEpilogue epilogue = new TmaStoreEpilogue(
                b, config, shared.panels(), shared.base(), warpgroup, thread, mapD, narrowMapD, scale);
        Reg<B32> tilesM = b.param32(shared.arguments().tilesM());
        Reg<B32> tilesN = b.param32(shared.arguments().tilesN());
        Optional<TileTrace> trace = trace(b, shared, warpgroup, thread);
        Optional<TurnTaking> turns = turns(b, warpgroup);
        turns.ifPresent(order -> {
            order.start(b);
            b.ifThen(b.ne(warpgroup, 0), second -> mainloop.skip(second, shared.kBlocks()));
        });
        TileReader reader = turns.isPresent() ? TileReader.warpsInTurn(warpgroup) : TileReader.warps();
        shared.tiles().forEachTile(b, reader, (w, tile) -> {
            Optional<Reg<B64>> start = trace.map(t -> TileTrace.now(w));
            TilePlace place = shared.places().of(w, tile);
            turns.ifPresent(order -> order.begin(w));
            mainloop.multiply(w, shared.kBlocks(), issued -> turns.ifPresent(order -> order.end(issued)));
            turns.ifPresent(order -> mainloop.skip(w, shared.kBlocks()));
            Reg<Pred> inside = w.andPred(w.lt(place.m(), tilesM), w.lt(place.n(), tilesN));
            Reg<B32> row = w.mad(place.m(), Immediate.b32(config.tileM()), rowInTile);
            epilogue.store(w, mainloop.accumulators(), row, w.mulLo(place.n(), config.tileN()), inside);
            trace.ifPresent(t -> t.record(w, tile, place.m(), place.n(), start.orElseThrow()));
        });
        epilogue.drain(b);
    }

    /** In the traced twin; one thread writes for a tile. */
    private Optional<TileTrace> trace(CodeBuilder b, Shared shared, Reg<B32> warpgroup, Reg<B32> thread) {
        return shared.arguments().trace().map(buffer -> {
            Reg<Pred> first = b.eq(thread, 0);
            Reg<Pred> records = switch (config.mode()) {
                case COOPERATIVE -> b.andPred(first, b.eq(warpgroup, 0));
                case PINGPONG -> first;
            };
            return new TileTrace(shared.cluster(), b.globalPointer(buffer), records);
        });
    }

    private Optional<TurnTaking> turns(CodeBuilder b, Reg<B32> warpgroup) {
        return switch (config.mode()) {
            case COOPERATIVE -> Optional.empty();
            case PINGPONG -> Optional.of(new TurnTaking(TURN_BARRIER, b.eq(warpgroup, 0)));
        };
    }
}
