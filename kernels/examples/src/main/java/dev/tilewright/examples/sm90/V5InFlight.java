package dev.tilewright.examples.sm90;

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
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * Products in flight: the products of a block run on while the next block is awaited and its products are issued.
 *
 * <pre>
 *   warps    role       does, for each pair of tiles of the cluster
 *   0        load       one thread: its own 128 rows of A, and 128 rows of B by multicast into both CTAs
 *   1..3     -          leave at once
 *   4..7     multiply   wgmma of rows 0 to 63 of the CTA's tile, then their store
 *   8..11    multiply   the same of rows 64 to 127
 *
 *   pipeline   slots   full                              empty
 *   load       3       1 arrival and the bytes of A, B   1 arrival of each warpgroup of both CTAs
 * </pre>
 *
 * The tensor cores always have a block to multiply, so that no warpgroup depends on the other one to fill its pauses. A
 * warpgroup hands back the stage of the block before: the products of that one are there when one group of products is
 * still in flight. Nobody meets at the end either. A load thread waits until all of its stages are handed back; then
 * nothing arrives at the barriers of its CTA any more, and all that it wrote into the other CTA has been read there.
 */
public final class V5InFlight implements Step {

    private static final int THREADS = 384;
    private static final int STAGES = 3;
    private static final int COLUMNS = 256;
    private static final int WARPGROUPS = 2;
    private static final int ROWS = TILE / WARPGROUPS;
    private static final int CTAS = 2;
    /** The ranks that get the half of B that a CTA loads. */
    private static final int BOTH = 0b11;

    private record Shared(Arguments arguments, Stages stages, Pipeline loads, SharedRegion panels) {}

    @Override
    public Facts facts() {
        return new Facts(
                "products in flight: those of a block run on while the next ones are issued",
                new Geometry(THREADS, CTAS, COLUMNS, ROWS, Geometry.Grid.PERSISTENT),
                new ProblemShape(328, 264, 200));
    }

    @Override
    public void build(EntryBuilder entry) {
        Arguments arguments = Arguments.declare(entry);
        entry.launchBounds(THREADS, 1);
        entry.cluster(CTAS, 1, 1);
        Stages stages = Stages.declare(entry, arguments, STAGES, COLUMNS);
        SharedRegion panels = entry.shared("panels", WARPGROUPS * Sums.bytes(ROWS, COLUMNS), 1024);
        Pipeline loads = Pipeline.declare(entry, "load", STAGES, 1, CTAS * WARPGROUPS);
        Shared shared = new Shared(arguments, stages, loads, panels);
        entry.code(b -> {
            b.ifThen(b.eq(b.special(SpecialRegister.TID_X), 0), one -> {
                loads.initialize(one);
                one.fenceBarrierInit();
            });
            b.clusterSync(); // the barriers of both CTAs are there
            b.role("load", 0, 1, load -> load.ifThen(load.elect(), one -> load(one, shared)));
            b.role("multiply", 4, 8, multiply -> multiply(multiply, shared));
            b.ret();
        });
    }

    private static void load(CodeBuilder b, Shared shared) {
        Reg<B32> rank = b.special(SpecialRegister.CLUSTER_CTARANK);
        Reg<B32> half = b.mulLo(rank, COLUMNS / CTAS);
        PipelineState state = shared.loads().producerState(b);
        Tile.forEach(b, shared.arguments(), CTAS, (w, tile) -> {
            Reg<B32> row = w.mulLo(w.mad(tile.m(), CTAS, rank), TILE);
            Reg<B32> column = w.mulLo(tile.n(), COLUMNS);
            w.forRange("load k", 0, shared.arguments().kBlocks(w), (k, block) -> {
                SharedAddress full = shared.loads().producerAcquire(k, Ordering.DEFAULT, state);
                shared.stages().loadSharing(k, state.slot(), block, row, column, half, BOTH, full);
                state.advance(k);
            });
        });
        Stages.drain(b, shared.loads(), state);
    }

    private static void multiply(CodeBuilder b, Shared shared) {
        Stages stages = shared.stages();
        Reg<B32> warpgroup = b.sub(b.shr(b.warpIndex(), 2), 1);
        Reg<B32> thread = b.and(b.special(SpecialRegister.TID_X), 127);
        Reg<B32> ownRow = b.mulLo(warpgroup, ROWS);
        Reg<B32> barrier = b.add(warpgroup, 1);
        Reg<Pred> first = b.eq(thread, 0);
        Reg<Pred> releases = b.lt(thread, CTAS); // thread r tells the CTA of rank r
        Sums sums = Sums.of(b, ROWS, COLUMNS);
        PipelineState state = shared.loads().consumerState(b);
        Reg<B32> before = b.b32("before"); // the empty barrier of the block before
        SharedAddress panels = shared.panels().element(b, warpgroup, Sums.bytes(ROWS, COLUMNS));
        Tile.forEach(b, shared.arguments(), CTAS, (w, tile) -> {
            w.forRange("multiply k", 0, shared.arguments().kBlocks(w), (k, block) -> {
                state.alike(k);
                shared.loads().consumerWait(k, Ordering.DEFAULT, state);
                SharedAddress rows = Stages.row(k, stages.a(k, state.slot()), ownRow);
                sums.multiply(k, rows, stages.b(k, state.slot()), k.ne(block, 0));
                k.wgmmaWaitGroup(1); // the products of this block run on, those of the block before are there
                release(k, before, thread, k.andPred(releases, k.ne(block, 0)));
                SharedAddress empty = shared.loads().emptyBarrier(k, state);
                k.add(before, empty.base(), empty.offset());
                state.advance(k);
            });
            w.wgmmaWaitGroup(0);
            release(w, before, thread, releases);
            w.guarded(first, one -> one.bulkWaitGroupRead(0));
            w.barrierSync(barrier, 128); // the stores of the last tile have read the panels
            sums.write(w, thread, panels);
            w.fenceProxyAsyncShared();
            w.barrierSync(barrier, 128);
            w.ifThen(first, one -> {
                Reg<B32> tileRow = one.mad(tile.m(), CTAS, one.special(SpecialRegister.CLUSTER_CTARANK));
                Reg<B32> row = one.mad(tileRow, TILE, ownRow);
                sums.store(one, shared.arguments(), row, one.mulLo(tile.n(), COLUMNS), panels);
            });
        });
        b.guarded(first, one -> one.bulkWaitGroupRead(0)); // shared memory must outlive the reads
    }

    private static void release(CodeBuilder b, Reg<B32> empty, Reg<B32> rank, Reg<Pred> when) {
        b.guarded(when, one -> one.mbarrierArrive(one.mapToRank(empty, rank)));
    }
}
