package dev.tilewright.gemm.scheduler;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Scope;
import java.util.Optional;

/**
 * Persistent, first come first served: the first tile of cluster c of C is c; each further one is C + the value drawn
 * from a counter in global memory. A thread of rank 0 draws one tile ahead and tells everybody through a
 * {@link TileRing}.
 *
 * <p>The counter needs no reset between launches. Let T be the number of tiles, with C at most T. A draw v is a tile if
 * C + v &lt; T, that is for T - C values. A cluster stops at its first failure, so there are C failures. Together that
 * is exactly T draws in a launch, and {@code atom.inc} with the bound T - 1 wraps to 0 on the T-th. A launch that was
 * broken off leaves another value behind; then the counter must be zeroed.
 *
 * @param counter one u32 in global memory, zero before the first launch
 */
public record AtomicTileScheduler(ClusterPlace cluster, Reg<B32> tiles, TileRing ring, Reg<B64> counter)
        implements TileScheduler {

    @Override
    public void initializeShared(CodeBuilder b) {
        ring.initialize(b);
    }

    @Override
    public TileCursor initialize(CodeBuilder b, TileReader reader) {
        Reg<B32> tile = b.b32();
        b.mov(tile, cluster.id());
        Reg<Pred> hasWork = b.pred();
        b.lt(hasWork, tile, tiles);
        PipelineState state = ring.pipeline().consumerState(b);
        TileCursor cursor = new TileCursor(reader, tile, hasWork, Optional.of(state));
        reader.turn().ifPresent(turn -> b.ifThen(b.ne(turn, 0), second -> ring.read(second, cursor, tile, hasWork)));
        return cursor;
    }

    @Override
    public boolean needsRole() {
        return true;
    }

    @Override
    public void tryCancel(CodeBuilder b, TileCursor cursor) {
        PipelineState answers = cursor.ring().orElseThrow();
        // The scheduler reads each answer before it asks again, so its place as producer is its place as reader, one
        // phase ahead.
        PipelineState producer = new PipelineState(answers.slots(), b.mov(answers.slot()), b.xor(answers.parity(), 1));
        ring.acquire(b, producer);
        Reg<B32> bound = b.sub(tiles, 1);
        Reg<B32> drawn = b.atom32(Ordering.relaxed(Scope.GPU), AtomicOperation.INC, GlobalAddress.of(counter), bound);
        Reg<B32> tile = b.add(drawn, cluster.count());
        Reg<B32> valid = b.select(b.lt(tile, tiles), Immediate.b32(1), Immediate.b32(0));
        ring.write(b, producer, tile, valid);
    }

    @Override
    public void advance(CodeBuilder b, TileCursor cursor) {
        ring.read(b, cursor, cursor.tile(), cursor.hasWork());
        if (cursor.reader().turn().isPresent()) {
            b.ifThen(cursor.hasWork(), own -> ring.read(own, cursor, cursor.tile(), cursor.hasWork()));
        }
    }
}
