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
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * Warps have roles: one thread does nothing but load, one does nothing but multiply, a warpgroup stores.
 *
 * <pre>
 *   warps   role       does
 *   0       load       one thread: TMA of A and B, a stage as soon as it is free
 *   1       multiply   one thread: tcgen05.mma, a stage as soon as it is full; the whole warp has tensor memory
 *   2, 3    -          wait at the end
 *   4..7    epilogue   a row for each thread, from tensor memory to shared memory; one thread: a TMA store
 *
 *   pipeline   slots   full                              empty
 *   load       4       1 arrival and the bytes of A, B   the commit behind the products of the block
 *   done       -       the commit behind all products of the tile
 * </pre>
 *
 * Each thread waits for one thing. The load thread is up to four blocks ahead, and the tensor cores always have the
 * products of another block to begin.
 */
public final class V2WarpRoles implements Step {

    private static final int THREADS = 256;
    private static final int STAGES = 4;
    private static final Products PRODUCTS = new Products(CtaGroup.ONE);

    private record Shared(Arguments arguments, Stages stages, Pipeline loads, SharedRegion done, Rows rows) {}

    @Override
    public Facts facts() {
        return new Facts(
                "warp roles: a thread that only loads, one that only multiplies, warps that only store",
                new Geometry(THREADS, 1, TILE, Geometry.Grid.TILES),
                new ProblemShape(200, 136, 712));
    }

    @Override
    public void build(EntryBuilder entry) {
        Arguments arguments = Arguments.declare(entry);
        entry.launchBounds(THREADS, 1);
        Stages stages = Stages.declare(entry, arguments, STAGES, TILE);
        Rows rows = Rows.declare(entry, arguments);
        TensorMemory memory = TensorMemory.declare(entry, CtaGroup.ONE, TILE);
        Pipeline loads = Pipeline.declare(entry, "load", STAGES, 1, 1);
        SharedRegion done = entry.barriers("done", 1);
        Shared shared = new Shared(arguments, stages, loads, done, rows);
        entry.code(b -> {
            Reg<Pred> owner = b.eq(b.warpIndex(), 1);
            b.ifThen(b.eq(b.special(SpecialRegister.TID_X), 0), one -> {
                loads.initialize(one);
                one.mbarrierInit(done.barrier(one, 0), 1);
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
        Tile tile = Tile.of(b, shared.arguments(), b.special(SpecialRegister.CTAID_X));
        Reg<B32> row = b.mulLo(tile.m(), TILE);
        Reg<B32> column = b.mulLo(tile.n(), TILE);
        b.forRange("load k", 0, shared.arguments().kBlocks(b), (k, block) -> {
            SharedAddress full = loads.producerAcquire(k, Ordering.DEFAULT, state);
            shared.stages().load(k, state.slot(), block, row, column, full);
            state.advance(k);
        });
        Stages.drain(b, loads, state);
    }

    private static void multiply(CodeBuilder b, Shared shared, Reg<B32> sums) {
        Stages stages = shared.stages();
        PipelineState state = shared.loads().consumerState(b);
        b.forRange("multiply k", 0, shared.arguments().kBlocks(b), (k, block) -> {
            shared.loads().consumerWait(k, Ordering.DEFAULT, state);
            PRODUCTS.multiply(k, sums, stages.a(k, state.slot()), stages.b(k, state.slot()), k.ne(block, 0));
            PRODUCTS.commit(k, shared.loads().emptyBarrier(k, state));
            state.advance(k);
        });
        PRODUCTS.commit(b, shared.done().barrier(b, 0));
    }

    private static void epilogue(CodeBuilder b, Shared shared, Reg<B32> sums) {
        Reg<B32> thread = b.and(b.special(SpecialRegister.TID_X), 127);
        Tile tile = Tile.of(b, shared.arguments(), b.special(SpecialRegister.CTAID_X));
        b.waitParity(shared.done().barrier(b, 0), Immediate.b32(0));
        shared.rows().write(b, sums, thread);
        b.barrierSync(1, 128);
        b.ifThen(b.eq(thread, 0), one -> {
            shared.rows().store(one, one.mulLo(tile.m(), TILE), one.mulLo(tile.n(), TILE));
            one.bulkWaitGroupRead(0); // shared memory must outlive the reads
        });
    }
}
