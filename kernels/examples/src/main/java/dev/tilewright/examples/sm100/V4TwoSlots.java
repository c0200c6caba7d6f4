package dev.tilewright.examples.sm100;

import dev.tilewright.examples.step.Arguments;
import dev.tilewright.examples.step.Geometry;
import dev.tilewright.examples.step.Stages;
import dev.tilewright.examples.step.Step;
import dev.tilewright.examples.step.Tile;
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
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * Two slots of sums in tensor memory: while the epilogue reads one tile, the next one is multiplied into the other
 * slot.
 *
 * <pre>
 *   warps   role       does, for each tile of the CTA
 *   0       load       one thread: TMA of A and B, a stage as soon as it is free
 *   1       multiply   one thread: tcgen05.mma, a stage as soon as it is full; the whole warp has tensor memory
 *   2, 3    -          wait at the end
 *   4..7    epilogue   a row for each thread, from tensor memory to shared memory; one thread: a TMA store
 *
 *   pipeline   slots   full                              empty
 *   load       4       1 arrival and the bytes of A, B   the commit behind the products of the block
 *   tile       2       the commit behind the tile        1 arrival of each epilogue warp
 * </pre>
 *
 * 256 of the 512 columns of tensor memory, 128 for each slot. The tensor cores have work as long as the epilogue of a
 * tile takes less time than the mainloop of the next.
 */
public final class V4TwoSlots implements Step {

    private static final int THREADS = 256;
    private static final int STAGES = 4;
    private static final int SLOTS = 2;
    private static final int EPILOGUE_WARPS = 4;
    private static final Products PRODUCTS = new Products(CtaGroup.ONE);

    private record Shared(Arguments arguments, Stages stages, Pipeline loads, Pipeline tiles, Rows rows) {}

    @Override
    public Facts facts() {
        return new Facts(
                "two slots of sums: a tile is stored while the next one is multiplied",
                new Geometry(THREADS, 1, TILE, Geometry.Grid.PERSISTENT),
                new ProblemShape(328, 456, 136));
    }

    @Override
    public void build(EntryBuilder entry) {
        Arguments arguments = Arguments.declare(entry);
        entry.launchBounds(THREADS, 1);
        Stages stages = Stages.declare(entry, arguments, STAGES, TILE);
        Rows rows = Rows.declare(entry, arguments);
        TensorMemory memory = TensorMemory.declare(entry, CtaGroup.ONE, SLOTS * TILE);
        Pipeline loads = Pipeline.declare(entry, "load", STAGES, 1, 1);
        Pipeline tiles = Pipeline.declare(entry, "tile", SLOTS, 1, EPILOGUE_WARPS);
        Shared shared = new Shared(arguments, stages, loads, tiles, rows);
        entry.code(b -> {
            Reg<Pred> owner = b.eq(b.warpIndex(), 1);
            b.ifThen(b.eq(b.special(SpecialRegister.TID_X), 0), one -> {
                loads.initialize(one);
                tiles.initialize(one);
                one.fenceBarrierInit();
            });
            b.ifThen(owner, memory::allocate);
            b.syncThreads();
            Reg<B32> sums = memory.first(b);
            b.role("load", 0, 1, warp -> warp.ifThen(warp.elect(), one -> load(one, shared)));
            b.role("multiply", 1, 1, warp -> warp.ifThen(warp.elect(), one -> multiply(one, shared, sums)));
            b.role("epilogue", 4, 4, epilogue -> epilogue(epilogue, shared, sums));
            b.syncThreads();
            b.ifThen(owner, warp -> memory.deallocate(warp, sums));
            b.ret();
        });
    }

    private static void load(CodeBuilder b, Shared shared) {
        Pipeline loads = shared.loads();
        PipelineState state = loads.producerState(b);
        Tile.forEach(b, shared.arguments(), 1, (w, tile) -> {
            Reg<B32> row = w.mulLo(tile.m(), TILE);
            Reg<B32> column = w.mulLo(tile.n(), TILE);
            w.forRange("load k", 0, shared.arguments().kBlocks(w), (k, block) -> {
                SharedAddress full = loads.producerAcquire(k, Ordering.DEFAULT, state);
                shared.stages().load(k, state.slot(), block, row, column, full);
                state.advance(k);
            });
        });
        Stages.drain(b, loads, state);
    }

    private static void multiply(CodeBuilder b, Shared shared, Reg<B32> sums) {
        Stages stages = shared.stages();
        PipelineState state = shared.loads().consumerState(b);
        PipelineState slot = shared.tiles().producerState(b);
        Tile.forEach(b, shared.arguments(), 1, (w, _) -> {
            SharedAddress done = shared.tiles().producerAcquire(w, Ordering.DEFAULT, slot);
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
        PipelineState slot = shared.tiles().consumerState(b);
        Tile.forEach(b, shared.arguments(), 1, (w, tile) -> {
            w.guarded(first, one -> one.bulkWaitGroupRead(0));
            w.barrierSync(1, 128); // the stores of the last tile have read the panels
            shared.tiles().consumerWait(w, Ordering.DEFAULT, slot);
            shared.rows().write(w, w.mad(slot.slot(), TILE, sums), thread);
            Rows.handBack(w, shared.tiles().emptyBarrier(w, slot));
            slot.advance(w);
            w.barrierSync(1, 128);
            w.ifThen(first, one -> shared.rows().store(one, one.mulLo(tile.m(), TILE), one.mulLo(tile.n(), TILE)));
        });
        b.guarded(first, one -> one.bulkWaitGroupRead(0)); // shared memory must outlive the reads
    }
}
