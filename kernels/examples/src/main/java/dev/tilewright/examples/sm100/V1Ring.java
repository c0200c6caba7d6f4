package dev.tilewright.examples.sm100;

import dev.tilewright.examples.step.Arguments;
import dev.tilewright.examples.step.Geometry;
import dev.tilewright.examples.step.Stages;
import dev.tilewright.examples.step.Step;
import dev.tilewright.examples.step.Tile;
import dev.tilewright.gemm.pipeline.Pipeline;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * A ring of 4 stages: while a block of K is multiplied, the next three are under way.
 *
 * <pre>
 *   warps   does
 *   0       allocates tensor memory, and gives it back
 *   0       thread 0: loads 3 blocks; then for each block: waits for its stage, multiplies, and loads the block 3
 *           further on into the stage of the block before, as soon as that one's products are there
 *   0..3    when all products are there: tensor memory to shared memory, a TMA store
 *
 *   pipeline   slots   full                              empty
 *   load       4       1 arrival and the bytes of A, B   the commit behind the products of the block
 *   done       -       the commit behind all products of the tile
 * </pre>
 *
 * The products of a block run while the thread waits for those of the block before, so that the tensor cores always
 * have work. One thread both loads and multiplies: while it waits for a stage to be free, it issues no products.
 */
public final class V1Ring implements Step {

    private static final int THREADS = 128;
    private static final int STAGES = 4;
    private static final Products PRODUCTS = new Products(CtaGroup.ONE);

    @Override
    public Facts facts() {
        return new Facts(
                "a ring of 4 stages: loads run ahead of the tensor cores",
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
        entry.code(b -> {
            Reg<B32> thread = b.special(SpecialRegister.TID_X);
            Reg<Pred> first = b.eq(thread, 0);
            Reg<Pred> firstWarp = b.eq(b.warpIndex(), 0);
            b.ifThen(first, one -> {
                loads.initialize(one);
                one.mbarrierInit(done.barrier(one, 0), 1);
                one.fenceBarrierInit();
            });
            b.ifThen(firstWarp, memory::allocate);
            b.syncThreads();
            Reg<B32> sums = memory.first(b);
            Tile tile = Tile.of(b, arguments, b.special(SpecialRegister.CTAID_X));
            Reg<B32> row = b.mulLo(tile.m(), TILE);
            Reg<B32> column = b.mulLo(tile.n(), TILE);

            b.comment("mainloop");
            b.ifThen(first, one -> {
                Reg<B32> kBlocks = arguments.kBlocks(one);
                PipelineState producer = loads.producerState(one, "fill");
                PipelineState consumer = loads.consumerState(one);
                one.forRange("fill", 0, one.min(kBlocks, STAGES - 1), (fill, block) -> {
                    var full = loads.producerAcquire(fill, Ordering.DEFAULT, producer);
                    stages.load(fill, producer.slot(), block, row, column, full);
                    producer.advance(fill);
                });
                one.forRange("k block", 0, kBlocks, (k, block) -> {
                    var slot = consumer.slot();
                    loads.consumerWait(k, Ordering.DEFAULT, consumer);
                    PRODUCTS.multiply(k, sums, stages.a(k, slot), stages.b(k, slot), k.ne(block, 0));
                    PRODUCTS.commit(k, loads.emptyBarrier(k, consumer));
                    consumer.advance(k);
                    Reg<B32> next = k.add(block, STAGES - 1);
                    k.ifThen(k.lt(next, kBlocks), more -> {
                        var full = loads.producerAcquire(more, Ordering.DEFAULT, producer);
                        stages.load(more, producer.slot(), next, row, column, full);
                        producer.advance(more);
                    });
                });
                PRODUCTS.commit(one, done.barrier(one, 0));
                Stages.drain(one, loads, producer);
            });

            b.comment("epilogue");
            b.waitParity(done.barrier(b, 0), Immediate.b32(0));
            rows.write(b, sums, thread);
            b.syncThreads();
            b.ifThen(firstWarp, warp -> memory.deallocate(warp, sums));
            b.ifThen(first, one -> {
                rows.store(one, row, column);
                one.bulkWaitGroupRead(0);
            });
            b.ret();
        });
    }
}
