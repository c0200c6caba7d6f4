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
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * Warps have roles: one thread does nothing but load, two warpgroups do nothing but multiply, and each waits only for
 * what it needs.
 *
 * <pre>
 *   warps    role       does
 *   0        load       one thread: TMA of A and B, a stage as soon as it is free
 *   1..3     -          leave at once
 *   4..7     multiply   wgmma of rows 0 to 63 of the tile, then their store
 *   8..11    multiply   the same of rows 64 to 127
 *
 *   pipeline   slots   full                              empty
 *   load       4       1 arrival and the bytes of A, B   1 arrival of each warpgroup
 * </pre>
 *
 * The mainloop has no meeting point: while one warpgroup waits for its products, the tensor cores have others to do.
 * Each warpgroup stores its own rows, behind a named barrier of its own.
 */
public final class V2WarpRoles implements Step {

    private static final int THREADS = 384;
    private static final int STAGES = 4;
    private static final int WARPGROUPS = 2;
    private static final int ROWS = TILE / WARPGROUPS;

    private record Shared(Arguments arguments, Stages stages, Pipeline loads, SharedRegion panels) {}

    @Override
    public Facts facts() {
        return new Facts(
                "warp roles: a thread that only loads, two warpgroups that only multiply",
                new Geometry(THREADS, 1, ROWS, Geometry.Grid.TILES),
                new ProblemShape(200, 136, 712));
    }

    @Override
    public void build(EntryBuilder entry) {
        Arguments arguments = Arguments.declare(entry);
        entry.launchBounds(THREADS, 1);
        Stages stages = Stages.declare(entry, arguments, STAGES, TILE);
        SharedRegion panels = entry.shared("panels", WARPGROUPS * Sums.bytes(ROWS, TILE), 1024);
        Pipeline loads = Pipeline.declare(entry, "load", STAGES, 1, WARPGROUPS);
        Shared shared = new Shared(arguments, stages, loads, panels);
        entry.code(b -> {
            b.ifThen(b.eq(b.special(SpecialRegister.TID_X), 0), one -> {
                loads.initialize(one);
                one.fenceBarrierInit();
            });
            b.syncThreads();
            b.role("load", 0, 1, load -> load.ifThen(load.elect(), one -> load(one, shared)));
            b.role("multiply", 4, 8, multiply -> multiply(multiply, shared));
            b.ret();
        });
    }

    private static void load(CodeBuilder b, Shared shared) {
        PipelineState state = shared.loads().producerState(b);
        Tile tile = Tile.of(b, shared.arguments(), b.special(SpecialRegister.CTAID_X));
        Reg<B32> row = b.mulLo(tile.m(), TILE);
        Reg<B32> column = b.mulLo(tile.n(), TILE);
        b.forRange("load k", 0, shared.arguments().kBlocks(b), (k, block) -> {
            SharedAddress full = shared.loads().producerAcquire(k, Ordering.DEFAULT, state);
            shared.stages().load(k, state.slot(), block, row, column, full);
            state.advance(k);
        });
    }

    private static void multiply(CodeBuilder b, Shared shared) {
        Stages stages = shared.stages();
        Reg<B32> warpgroup = b.sub(b.shr(b.warpIndex(), 2), 1);
        Reg<B32> thread = b.and(b.special(SpecialRegister.TID_X), 127);
        Reg<B32> ownRow = b.mulLo(warpgroup, ROWS);
        Sums sums = Sums.of(b, ROWS, TILE);
        PipelineState state = shared.loads().consumerState(b);
        b.forRange("multiply k", 0, shared.arguments().kBlocks(b), (k, block) -> {
            state.alike(k);
            shared.loads().consumerWait(k, Ordering.DEFAULT, state);
            SharedAddress rows = Stages.row(k, stages.a(k, state.slot()), ownRow);
            sums.multiply(k, rows, stages.b(k, state.slot()), k.ne(block, 0));
            k.wgmmaWaitGroup(0);
            SharedAddress empty = shared.loads().emptyBarrier(k, state);
            k.guarded(k.eq(thread, 0), one -> one.mbarrierArrive(empty));
            state.advance(k);
        });
        Tile tile = Tile.of(b, shared.arguments(), b.special(SpecialRegister.CTAID_X));
        SharedAddress panels = shared.panels().element(b, warpgroup, Sums.bytes(ROWS, TILE));
        sums.write(b, thread, panels);
        b.fenceProxyAsyncShared();
        b.barrierSync(b.add(warpgroup, 1), 128);
        b.ifThen(b.eq(thread, 0), one -> {
            Reg<B32> row = one.mad(tile.m(), TILE, ownRow);
            sums.store(one, shared.arguments(), row, one.mulLo(tile.n(), TILE), panels);
            one.bulkWaitGroupRead(0);
        });
    }
}
