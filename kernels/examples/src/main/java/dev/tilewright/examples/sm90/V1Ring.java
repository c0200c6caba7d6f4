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
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * A ring of 4 stages: while a block of K is multiplied, the next three are under way.
 *
 * <pre>
 *   threads   does
 *   0         before the mainloop: loads the first 4 blocks, one into each stage
 *             after each block: loads the block 4 further on into the stage that is free again
 *   0..127    for each block: wait for its stage, multiply, wait for the products, meet
 *
 *   barrier   slots   a phase ends with
 *   full      4       1 arrival and the bytes of A and B
 * </pre>
 *
 * Block i lies in stage {@code i mod 4} and is the {@code i / 4}-th to fill it: the parity to wait for is the last bit
 * of {@code i / 4}. The latency of memory is hidden. One thread both loads and multiplies, so that no load is issued
 * while the warpgroup waits for its products.
 */
public final class V1Ring implements Step {

    private static final int THREADS = 128;
    private static final int STAGES = 4;

    @Override
    public Facts facts() {
        return new Facts(
                "a ring of 4 stages: loads run ahead of the tensor cores",
                new Geometry(THREADS, 1, 64, Geometry.Grid.TILES),
                new ProblemShape(200, 136, 712));
    }

    @Override
    public void build(EntryBuilder entry) {
        Arguments arguments = Arguments.declare(entry);
        entry.launchBounds(THREADS, 1);
        Stages stages = Stages.declare(entry, arguments, STAGES, TILE);
        SharedRegion panels = entry.shared("panels", Sums.bytes(TILE), 1024);
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
            Sums sums = Sums.of(b, TILE);
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
                k.wgmmaWaitGroup(0);
                k.syncThreads();
                Reg<B32> next = k.add(block, STAGES);
                k.ifThen(
                        k.andPred(first, k.lt(next, kBlocks)),
                        one -> stages.load(one, slot, next, row, column, barrier));
            });

            b.comment("epilogue");
            sums.write(b, thread, panels.at(b, 0));
            b.fenceProxyAsyncShared();
            b.syncThreads();
            b.ifThen(first, one -> {
                sums.store(one, arguments, row, column, panels.at(one, 0));
                one.bulkWaitGroupRead(0);
            });
            b.ret();
        });
    }
}
