package dev.tilewright.gemm.scheduler;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import java.util.List;
import java.util.Optional;

/**
 * Tiles from a counter in global memory: the first tile of cluster c of C is c; each further one is C + the value
 * drawn. A record is {tile, valid, 0, 0}, written by the thread that drew.
 *
 * <p>The counter needs no reset between launches. Let T be the number of tiles, with C at most T. A draw v is a tile if
 * C + v &lt; T, that is for T - C values. A cluster stops drawing at its first failure, so there are C failures.
 * Together that is exactly T draws in a launch, and {@code atom.inc} with the bound T - 1 wraps to 0 on the T-th. A
 * launch that was broken off leaves another value behind; then the counter must be zeroed.
 *
 * @param tiles parameter: number of cluster tiles
 * @param counter parameter: one u32 in global memory, zero before the first launch
 */
public record CounterSource(ClusterPlace cluster, Param tiles, Param counter) implements TileSource {

    private static final Immediate<B32> NONE = Immediate.b32(0);

    @Override
    public boolean failsForGood() {
        return true;
    }

    @Override
    public void reuse(CodeBuilder b) {}

    @Override
    public void ask(CodeBuilder b, TileRing ring, PipelineState producer, Optional<Reg<Pred>> exhausted) {
        if (exhausted.isEmpty()) {
            Reg<B32> tile = draw(b);
            Reg<B32> valid = b.select(b.lt(tile, b.param32(tiles)), Immediate.b32(1), NONE);
            ring.write(b, producer, tile, valid);
            return;
        }
        // Several queries are in flight: those after the first failure draw nothing, so that the count holds.
        Reg<B32> tile = b.b32();
        b.mov(tile, 0);
        Reg<Pred> end = exhausted.get();
        b.ifNot(end, w -> {
            w.mov(tile, draw(w));
            w.ge(end, tile, w.param32(tiles));
        });
        ring.store(b, producer, tile, b.select(end, NONE, Immediate.b32(1)));
    }

    private Reg<B32> draw(CodeBuilder b) {
        Reg<B32> bound = b.sub(b.param32(tiles), 1);
        Reg<B32> drawn = b.atom32(
                Ordering.relaxed(Scope.GPU), AtomicOperation.INC, GlobalAddress.of(b.globalPointer(counter)), bound);
        return b.add(drawn, cluster.count(b));
    }

    @Override
    public void release(CodeBuilder b, TileRing ring, PipelineState producer, Optional<Reg<Pred>> exhausted) {
        if (exhausted.isPresent()) {
            ring.announce(b, producer);
        }
    }

    @Override
    public void decode(CodeBuilder b, TileRing ring, PipelineState reader, Optional<Reg<B32>> tile, Reg<Pred> valid) {
        Reg<B32> flag = b.b32();
        b.ldVector(ScalarType.U32, List.of(tile.orElseGet(b::b32), flag, b.b32(), b.b32()), ring.slot(b, reader));
        b.ne(valid, flag, 0);
    }

    @Override
    public void endRead(CodeBuilder b) {}
}
