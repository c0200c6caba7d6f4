package dev.tilewright.examples.sm100;

import dev.tilewright.examples.step.Arguments;
import dev.tilewright.examples.step.Geometry;
import dev.tilewright.examples.step.Stages;
import dev.tilewright.examples.step.Step;
import dev.tilewright.examples.step.Tile;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.List;

/**
 * One tile for each CTA, one block of K at a time. The sums lie in tensor memory, 128 lanes of 128 columns.
 *
 * <pre>
 *   warps   does
 *   0       allocates tensor memory, and gives it back
 *   0       thread 0, for each block of K: loads 128 x 64 of A and of B by TMA, waits for the bytes, multiplies, waits
 *           for the products
 *   0..3    when all products are there: a row for each thread, from tensor memory to shared memory; thread 0 stores
 *           the tile by TMA
 *
 *   barrier   a phase ends with
 *   full      1 arrival and the bytes of A and B
 *   free      the commit behind the products of a block: the stage may be loaded again
 *   done      the commit behind all products of the tile
 * </pre>
 *
 * One thread issues every instruction of the mainloop. The tensor cores wait for every load, and every load waits for
 * the tensor cores.
 */
public final class V0OneTile implements Step {

    private static final int THREADS = 128;
    private static final Products PRODUCTS = new Products(CtaGroup.ONE);

    @Override
    public Facts facts() {
        return new Facts(
                "one tile for each CTA: load, multiply into tensor memory, load, multiply, store",
                new Geometry(THREADS, 1, TILE, Geometry.Grid.TILES),
                new ProblemShape(200, 264, 136));
    }

    @Override
    public void build(EntryBuilder entry) {
        Arguments arguments = Arguments.declare(entry);
        entry.launchBounds(THREADS, 1);
        Stages stages = Stages.declare(entry, arguments, 1, TILE);
        Rows rows = Rows.declare(entry, arguments);
        TensorMemory memory = TensorMemory.declare(entry, CtaGroup.ONE, TILE);
        SharedRegion full = entry.barriers("full", 1);
        SharedRegion free = entry.barriers("free", 1);
        SharedRegion done = entry.barriers("done", 1);
        entry.code(b -> {
            Reg<B32> thread = b.special(SpecialRegister.TID_X);
            Reg<Pred> first = b.eq(thread, 0);
            Reg<Pred> firstWarp = b.eq(b.warpIndex(), 0);
            b.ifThen(first, one -> {
                List.of(full, free, done).forEach(barrier -> one.mbarrierInit(barrier.barrier(one, 0), 1));
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
                Immediate<B32> slot = Immediate.b32(0);
                Reg<B32> parity = one.b32("parity", 0);
                one.forRange("k block", 0, arguments.kBlocks(one), (k, block) -> {
                    SharedAddress barrier = full.barrier(k, 0);
                    stages.load(k, slot, block, row, column, barrier);
                    k.waitParity(barrier, parity);
                    PRODUCTS.multiply(k, sums, stages.a(k, slot), stages.b(k, slot), k.ne(block, 0));
                    PRODUCTS.commit(k, free.barrier(k, 0));
                    k.waitParity(free.barrier(k, 0), parity);
                    k.xor(parity, parity, 1);
                });
                PRODUCTS.commit(one, done.barrier(one, 0));
            });

            b.comment("epilogue");
            b.waitParity(done.barrier(b, 0), Immediate.b32(0));
            rows.write(b, sums, thread);
            b.syncThreads();
            b.ifThen(firstWarp, warp -> memory.deallocate(warp, sums));
            b.ifThen(first, one -> {
                rows.store(one, row, column);
                one.bulkWaitGroupRead(0); // shared memory must outlive the reads
            });
            b.ret();
        });
    }
}
