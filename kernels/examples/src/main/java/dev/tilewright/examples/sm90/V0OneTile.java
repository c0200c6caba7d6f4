package dev.tilewright.examples.sm90;

import dev.tilewright.examples.step.Arguments;
import dev.tilewright.examples.step.Geometry;
import dev.tilewright.examples.step.Stages;
import dev.tilewright.examples.step.Step;
import dev.tilewright.examples.step.Tile;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * One tile for each CTA, one block of K at a time.
 *
 * <pre>
 *   threads   does, for each block of K
 *   0         loads 128 x 64 of A and of B by TMA
 *   0..127    wait for the bytes, multiply, wait for the products; then all meet, and the stage may be loaded again
 *
 *   barrier   a phase ends with
 *   full      1 arrival and the bytes of A and B
 * </pre>
 *
 * At the end the warpgroup writes its sums into shared memory as bf16, and thread 0 stores them by TMA. The tensor
 * cores wait for every load, and every load waits for the tensor cores.
 */
public final class V0OneTile implements Step {

    private static final int THREADS = 128;

    @Override
    public Facts facts() {
        return new Facts(
                "one tile for each CTA: load, multiply, load, multiply, store",
                new Geometry(THREADS, 1, 64, Geometry.Grid.TILES),
                new ProblemShape(200, 264, 136));
    }

    @Override
    public void build(EntryBuilder entry) {
        Arguments arguments = Arguments.declare(entry);
        entry.launchBounds(THREADS, 1);
        Stages stages = Stages.declare(entry, arguments, 1, TILE);
        SharedRegion panels = entry.shared("panels", Sums.bytes(TILE, TILE), 1024);
        SharedRegion full = entry.barriers("full", 1);
        entry.code(b -> {
            Reg<B32> thread = b.special(SpecialRegister.TID_X);
            Reg<Pred> first = b.eq(thread, 0);
            b.ifThen(first, one -> {
                one.mbarrierInit(full.barrier(one, 0), 1);
                one.fenceBarrierInit();
            });
            b.syncThreads();
            Tile tile = Tile.of(b, arguments, b.special(SpecialRegister.CTAID_X));
            Reg<B32> row = b.mulLo(tile.m(), TILE);
            Reg<B32> column = b.mulLo(tile.n(), TILE);

            b.comment("mainloop");
            Immediate<B32> slot = Immediate.b32(0);
            Sums sums = Sums.of(b, TILE, TILE);
            Reg<B32> parity = b.b32("parity", 0);
            b.forRange("k block", 0, arguments.kBlocks(b), (k, block) -> {
                SharedAddress barrier = full.barrier(k, 0);
                k.ifThen(first, one -> stages.load(one, slot, block, row, column, barrier));
                k.waitParity(barrier, parity);
                k.xor(parity, parity, 1);
                sums.multiply(k, stages.a(k, slot), stages.b(k, slot), k.ne(block, 0));
                k.wgmmaWaitGroup(0);
                k.syncThreads();
            });

            b.comment("epilogue");
            sums.write(b, thread, panels.at(b, 0));
            b.fenceProxyAsyncShared(); // TMA sees what the threads wrote
            b.syncThreads();
            b.ifThen(first, one -> {
                sums.store(one, arguments, row, column, panels.at(one, 0));
                one.bulkWaitGroupRead(0); // shared memory must outlive the reads
            });
            b.ret();
        });
    }
}
