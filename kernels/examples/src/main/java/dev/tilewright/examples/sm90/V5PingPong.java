package dev.tilewright.examples.sm90;

import dev.tilewright.examples.step.Arguments;
import dev.tilewright.examples.step.Geometry;
import dev.tilewright.examples.step.Stages;
import dev.tilewright.examples.step.Step;
import dev.tilewright.examples.step.Tile;
import dev.tilewright.gemm.pipeline.OrderBarrier;
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
 * Ping-pong: each warpgroup has a tile of its own, and while one stores, the other multiplies.
 *
 * <pre>
 *   warps    role       does
 *   0        load       one thread, for each pair of tiles: its own rows of A, half of B by multicast
 *   1..3     -          wait at the end
 *   4..7     multiply   tiles 0, 2, 4 and so on of the CTA: wgmma of all 128 rows, then their store
 *   8..11    multiply   tiles 1, 3, 5 and so on
 *
 *   pipeline   slots   full                              empty
 *   load       4       1 arrival and the bytes of A, B   1 arrival of a warpgroup of each CTA
 *   order      named barriers 3 and 4: one warpgroup issues its products, the other one may not
 * </pre>
 *
 * The tensor cores have work while a tile is stored. A warpgroup skips the stages of the other one's tile, and waits
 * for its turn: a phase that is two ahead has the parity that it waits for. It multiplies alone, so that the products
 * of a block run on while the next block is issued. setmaxnreg takes registers for 128 sums from the warps that load.
 */
public final class V5PingPong implements Step {

    private static final int THREADS = 384;
    private static final int STAGES = 4;
    private static final int WARPGROUPS = 2;
    private static final int ORDER = 3; // named barriers 3 and 4; 1 and 2 are of the stores
    private static final int CTAS = 2;
    private static final int BOTH = 0b11;

    private record Shared(Arguments arguments, Stages stages, Pipeline loads, SharedRegion panels) {}

    @Override
    public Facts facts() {
        return new Facts(
                "ping-pong: a tile for each warpgroup, one multiplies while the other one stores",
                new Geometry(THREADS, CTAS, 64, Geometry.Grid.PERSISTENT),
                new ProblemShape(328, 328, 200));
    }

    @Override
    public void build(EntryBuilder entry) {
        Arguments arguments = Arguments.declare(entry);
        entry.launchBounds(THREADS, 1);
        entry.cluster(CTAS, 1, 1);
        Stages stages = Stages.declare(entry, arguments, STAGES, TILE);
        SharedRegion panels = entry.shared("panels", WARPGROUPS * Sums.bytes(TILE), 1024);
        Pipeline loads = Pipeline.declare(entry, "load", STAGES, 1, CTAS);
        Shared shared = new Shared(arguments, stages, loads, panels);
        entry.code(b -> {
            b.ifThen(b.eq(b.special(SpecialRegister.TID_X), 0), one -> {
                loads.initialize(one);
                one.fenceBarrierInit();
            });
            b.clusterSync(); // the barriers of both CTAs are there
            b.role("producer", 0, 4, producer -> {
                producer.setMaxRegistersDecrease(40);
                producer.role("load", 0, 1, load -> load.ifThen(load.elect(), one -> load(one, shared)));
            });
            b.role("multiply", 4, 8, multiply -> multiply(multiply, shared));
            b.clusterSync(); // no CTA ends while the other one writes into it
            b.ret();
        });
    }

    private static void load(CodeBuilder b, Shared shared) {
        Reg<B32> rank = b.special(SpecialRegister.CLUSTER_CTARANK);
        Reg<B32> half = b.mulLo(rank, TILE / CTAS);
        PipelineState state = shared.loads().producerState(b);
        Tile.forEach(b, shared.arguments(), CTAS, (w, tile) -> {
            Reg<B32> row = w.mulLo(w.mad(tile.m(), CTAS, rank), TILE);
            Reg<B32> column = w.mulLo(tile.n(), TILE);
            w.forRange("load k", 0, shared.arguments().kBlocks(w), (k, block) -> {
                SharedAddress full = shared.loads().producerAcquire(k, Ordering.DEFAULT, state);
                shared.stages().loadSharing(k, state.slot(), block, row, column, half, BOTH, full);
                state.advance(k);
            });
        });
    }

    private static void multiply(CodeBuilder b, Shared shared) {
        b.setMaxRegistersIncrease(232);
        Stages stages = shared.stages();
        Reg<B32> warpgroup = b.sub(b.shr(b.warpIndex(), 2), 1);
        Reg<B32> thread = b.and(b.special(SpecialRegister.TID_X), 127);
        Reg<B32> barrier = b.add(warpgroup, 1);
        Reg<Pred> first = b.eq(thread, 0);
        Reg<Pred> releases = b.lt(thread, CTAS); // thread r hands stages back to the CTA of rank r
        Sums sums = Sums.of(b, TILE);
        Reg<B32> kBlocks = shared.arguments().kBlocks(b);
        PipelineState state = shared.loads().consumerState(b);
        Reg<B32> before = b.b32("before"); // the empty barrier of the block before
        SharedAddress panels = shared.panels().element(b, warpgroup, Sums.bytes(TILE));
        OrderBarrier order = new OrderBarrier(ORDER, b.eq(warpgroup, 0));
        order.start(b);
        b.ifThen(b.ne(warpgroup, 0), second -> state.skip(second, kBlocks));
        Reg<B32> clusters = Tile.clusters(b, CTAS);
        Reg<B32> own = b.mad(warpgroup, clusters, Tile.cluster(b, CTAS));
        Tile.forEach(b, shared.arguments(), own, b.mulLo(clusters, WARPGROUPS), (w, tile) -> {
            order.begin(w);
            w.forRange("multiply k", 0, kBlocks, (k, block) -> {
                state.alike(k);
                shared.loads().consumerWait(k, Ordering.DEFAULT, state);
                sums.multiply(k, stages.a(k, state.slot()), stages.b(k, state.slot()), k.ne(block, 0));
                k.wgmmaWaitGroup(1); // the products of this block run on, those of the block before are there
                release(k, before, thread, k.andPred(releases, k.ne(block, 0)));
                SharedAddress empty = shared.loads().emptyBarrier(k, state);
                k.add(before, empty.base(), empty.offset());
                state.advance(k);
            });
            order.end(w);
            w.wgmmaWaitGroup(0);
            release(w, before, thread, releases);
            state.skip(w, kBlocks);
            w.guarded(first, one -> one.bulkWaitGroupRead(0));
            w.barrierSync(barrier, 128); // the stores of the last tile have read the panels
            sums.write(w, thread, panels);
            w.fenceProxyAsyncShared();
            w.barrierSync(barrier, 128);
            w.ifThen(first, one -> {
                Reg<B32> tileRow = one.mad(tile.m(), CTAS, one.special(SpecialRegister.CLUSTER_CTARANK));
                sums.store(one, shared.arguments(), one.mulLo(tileRow, TILE), one.mulLo(tile.n(), TILE), panels);
            });
        });
        b.guarded(first, one -> one.bulkWaitGroupRead(0)); // shared memory must outlive the reads
    }

    private static void release(CodeBuilder b, Reg<B32> empty, Reg<B32> rank, Reg<Pred> when) {
        b.guarded(when, one -> one.mbarrierArrive(one.mapToRank(empty, rank)));
    }
}
