package dev.tilewright.examples.sm100;

import dev.tilewright.examples.sm100.Answers.Reader;
import dev.tilewright.examples.step.Arguments;
import dev.tilewright.examples.step.Geometry;
import dev.tilewright.examples.step.Stages;
import dev.tilewright.examples.step.Step;
import dev.tilewright.gemm.pipeline.Pipeline;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * Cluster Launch Control: a pair that is done takes over the tile of a pair that was not launched yet.
 *
 * <pre>
 *   warps   role        does, for each tile of the pair
 *   0       load        one thread of each CTA: TMA of its part of A and of B
 *   1       multiply    one thread of the leader, rank 0, for both; the whole warp of each CTA has tensor memory
 *   2       scheduler   one thread of the leader: asks the hardware for the next tile
 *   3       -           waits at the end
 *   4..7    epilogue    of each CTA: its 128 rows of the sums
 *
 *   pipeline   slots   full                                       empty
 *   load       4       in the leader: 1 arrival, bytes of both    in both: the commit behind the products of the block
 *   tile       2       in both: the commit behind the tile        in the leader: 1 arrival of each epilogue warp of both
 *   answer     2       in both: 1 arrival and 16 bytes            in the leader: 1 arrival of each reader of both CTAs
 * </pre>
 *
 * Tiles are dealt out as SMs become free, so that no CTA is late for what it was dealt beforehand. See {@link Answers}.
 */
public final class V6LaunchControl implements Step {

    private static final int THREADS = 256;
    private static final int STAGES = 4;
    private static final int SLOTS = 2;
    private static final int EPILOGUE_WARPS = 4;
    private static final Products PRODUCTS = new Products(CtaGroup.TWO);

    private record Shared(
            Arguments arguments, Stages stages, Pipeline loads, Pipeline tiles, Answers answers, Rows rows) {}

    @Override
    public Facts facts() {
        return new Facts(
                "Cluster Launch Control: a pair that is done takes over the tile of one that waits",
                new Geometry(THREADS, Pair.CTAS, TILE, Geometry.Grid.TILES),
                new ProblemShape(584, 456, 136));
    }

    @Override
    public void build(EntryBuilder entry) {
        Arguments arguments = Arguments.declare(entry);
        entry.launchBounds(THREADS, 1);
        entry.cluster(Pair.CTAS, 1, 1);
        Stages stages = Stages.declare(entry, arguments, STAGES, TILE / Pair.CTAS);
        Rows rows = Rows.declare(entry, arguments);
        TensorMemory memory = TensorMemory.declare(entry, CtaGroup.TWO, SLOTS * TILE);
        Pipeline loads = Pipeline.declare(entry, "load", STAGES, 1, 1);
        Pipeline tiles = Pipeline.declare(entry, "tile", SLOTS, 1, Pair.CTAS * EPILOGUE_WARPS);
        Answers answers = Answers.declare(entry, Pair.CTAS * (1 + EPILOGUE_WARPS) + 2);
        Shared shared = new Shared(arguments, stages, loads, tiles, answers, rows);
        entry.code(b -> {
            Reg<Pred> owner = b.eq(b.warpIndex(), 1);
            b.ifThen(b.eq(b.special(SpecialRegister.TID_X), 0), one -> {
                loads.initialize(one);
                tiles.initialize(one);
                answers.pipeline().initialize(one);
                one.fenceBarrierInit();
            });
            b.ifThen(owner, memory::allocate);
            b.clusterSync();
            Reg<B32> sums = memory.first(b);
            b.role("load", 0, 1, warp -> warp.ifThen(warp.elect(), one -> load(one, shared)));
            b.role("multiply", 1, 1, warp -> Pair.leader(warp, one -> multiply(one, shared, sums)));
            b.role("scheduler", 2, 1, warp -> Pair.leader(warp, one -> schedule(one, shared)));
            b.role("epilogue", 4, 4, epilogue -> epilogue(epilogue, shared, sums));
            b.clusterSync();
            b.ifThen(owner, warp -> memory.deallocate(warp, sums));
            b.ret();
        });
    }

    private static void schedule(CodeBuilder b, Shared shared) {
        Answers answers = shared.answers();
        PipelineState state = answers.pipeline().producerState(b, "query");
        answers.forEachTile(b, shared.arguments(), Reader.THREAD, (w, _) -> answers.ask(w, state));
    }

    private static void load(CodeBuilder b, Shared shared) {
        Pipeline loads = shared.loads();
        Pair pair = Pair.of(b);
        PipelineState state = loads.producerState(b);
        shared.answers().forEachTile(b, shared.arguments(), Reader.THREAD, (w, tile) -> {
            Reg<B32> row = pair.row(w, tile.m());
            Reg<B32> rowOfB = w.mad(tile.n(), TILE, w.mulLo(pair.rank(), TILE / Pair.CTAS));
            w.forRange("load k", 0, shared.arguments().kBlocks(w), (k, block) -> {
                SharedAddress full = loads.producerAcquire(k, Ordering.DEFAULT, state);
                pair.load(k, shared.stages(), state, block, row, rowOfB, full);
                state.advance(k);
            });
        });
        Stages.drain(b, loads, state);
    }

    private static void multiply(CodeBuilder b, Shared shared, Reg<B32> sums) {
        Stages stages = shared.stages();
        PipelineState state = shared.loads().consumerState(b);
        PipelineState slot = shared.tiles().producerState(b);
        shared.answers().forEachTile(b, shared.arguments(), Reader.THREAD, (w, _) -> {
            SharedAddress done = shared.tiles().producerAcquire(w, Ordering.acquire(Scope.CLUSTER), slot);
            Reg<B32> columns = w.mad(slot.slot(), TILE, sums);
            w.forRange("multiply k", 0, shared.arguments().kBlocks(w), (k, block) -> {
                shared.loads().consumerWait(k, Ordering.DEFAULT, state);
                PRODUCTS.multiply(k, columns, stages.a(k, state.slot()), stages.b(k, state.slot()), k.ne(block, 0));
                PRODUCTS.commit(k, shared.loads().emptyBarrier(k, state));
                state.advance(k);
            });
            PRODUCTS.commit(w, done);
            slot.advance(w);
        });
    }

    private static void epilogue(CodeBuilder b, Shared shared, Reg<B32> sums) {
        Reg<B32> thread = b.and(b.special(SpecialRegister.TID_X), 127);
        Reg<Pred> first = b.eq(thread, 0);
        Pair pair = Pair.of(b);
        PipelineState slot = shared.tiles().consumerState(b);
        shared.answers().forEachTile(b, shared.arguments(), Reader.WARP, (w, tile) -> {
            w.guarded(first, one -> one.bulkWaitGroupRead(0));
            w.barrierSync(1, 128); // the stores of the last tile have read the panels
            shared.tiles().consumerWait(w, Ordering.DEFAULT, slot);
            shared.rows().write(w, w.mad(slot.slot(), TILE, sums), thread);
            Pair.handBack(w, shared.tiles().emptyBarrier(w, slot));
            slot.advance(w);
            w.barrierSync(1, 128);
            w.ifThen(first, one -> shared.rows().store(one, pair.row(one, tile.m()), one.mulLo(tile.n(), TILE)));
        });
        b.guarded(first, one -> one.bulkWaitGroupRead(0)); // shared memory must outlive the reads
    }
}
