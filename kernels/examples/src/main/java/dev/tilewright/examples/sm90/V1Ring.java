package dev.tilewright.examples.sm90;

import dev.tilewright.examples.step.Arguments;
import dev.tilewright.examples.step.Geometry;
import dev.tilewright.examples.step.Stages;
import dev.tilewright.examples.step.Step;
import dev.tilewright.examples.step.Tile;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * A ring of 2 stages: while a block of K is multiplied, the next one is loaded.
 *
 * <pre>
 *   threads   does
 *   0         before the mainloop: loads the first 2 blocks, one into each stage
 *             in the mainloop: loads the next block into the stage of the block before
 *   0..127    for each block: wait for its stage, issue its products, wait for those of the block before, meet
 *
 *   barrier   slots   a phase ends with
 *   full      2       1 arrival and the bytes of A and B
 * </pre>
 *
 * Block i lies in stage {@code i mod 2} and is the {@code i / 2}-th to fill it: the parity to wait for is the last bit
 * of {@code i / 2}. After the last block the stages are free, so that the sums go to D through them: a CTA has as much
 * shared memory as one of the step before, and three still share an SM. A deeper ring would leave room for fewer CTAs.
 * One thread both loads and multiplies, so that no load is issued while the warpgroup waits.
 */
public final class V1Ring implements Step {

    private static final int THREADS = 128;
    private static final int STAGES = 2;
    private static final int CTAS_OF_SM = 3;

    @Override
    public Facts facts() {
        return new Facts(
                "a ring of 2 stages: a block is loaded while the one before is multiplied",
                new Geometry(THREADS, 1, 64, Geometry.Grid.TILES),
                new ProblemShape(200, 136, 712));
    }

    @Override
    public void build(EntryBuilder entry) {
        Arguments arguments = Arguments.declare(entry);
        entry.launchBounds(THREADS, CTAS_OF_SM);
        Stages stages = Stages.declare(entry, arguments, STAGES, TILE);
        SharedRegion full = entry.barriers("full", STAGES);
        entry.code(b -> {
            Reg<B32> thread = b.special(SpecialRegister.TID_X);
            Reg<Pred> first = b.eq(thread, 0);
            b.ifThen(first, one -> {
                for (int slot = 0; slot < STAGES; slot++) {
                    one.mbarrierInit(full.barrier(one, slot), 1);
                }
                one.fenceBarrierInit();
            });
            b.syncThreads();
            Tile tile = Tile.of(b, arguments, b.special(SpecialRegister.CTAID_X));
            Reg<B32> row = b.mulLo(tile.m(), TILE);
            Reg<B32> column = b.mulLo(tile.n(), TILE);

            b.comment("mainloop");
            Sums sums = Sums.of(b, TILE, TILE);
            Reg<B32> kBlocks = arguments.kBlocks(b);
            b.ifThen(
                    first,
                    one -> one.forRange("fill", 0, one.min(kBlocks, STAGES), (fill, block) -> {
                        stages.load(
                                fill, block, block, row, column, full.element(fill, block, SharedRegion.BARRIER_BYTES));
                    }));
            b.forRange("k block", 0, kBlocks, (k, block) -> {
                Reg<B32> slot = k.rem(block, STAGES);
                var barrier = full.element(k, slot, SharedRegion.BARRIER_BYTES);
                k.waitParity(barrier, k.and(k.div(block, STAGES), 1));
                sums.multiply(k, stages.a(k, slot), stages.b(k, slot), k.ne(block, 0));
                k.wgmmaWaitGroup(1); // the products of this block run on, those of the block before are there
                k.syncThreads();
                Reg<B32> next = k.add(block, STAGES - 1);
                Reg<Pred> loads = k.andPred(first, k.andPred(k.ne(block, 0), k.lt(next, kBlocks)));
                k.ifThen(loads, one -> {
                    Reg<B32> free = one.rem(next, STAGES);
                    stages.load(one, free, next, row, column, full.element(one, free, SharedRegion.BARRIER_BYTES));
                });
            });
            b.wgmmaWaitGroup(0);
            b.syncThreads(); // all products are there: nobody reads a stage any more

            b.comment("epilogue");
            SharedAddress panels = stages.region().at(b, 0);
            sums.write(b, thread, panels);
            b.fenceProxyAsyncShared();
            b.syncThreads();
            b.ifThen(first, one -> {
                sums.store(one, arguments, row, column, panels);
                one.bulkWaitGroupRead(0);
            });
            b.ret();
        });
    }
}
