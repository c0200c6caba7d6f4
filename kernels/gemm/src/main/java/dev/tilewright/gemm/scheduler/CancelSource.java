package dev.tilewright.gemm.scheduler;

import dev.tilewright.gemm.division.Divisor;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B128;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.Optional;

/**
 * Tiles of clusters that were not launched yet, by Cluster Launch Control: the grid has a cluster for each cluster
 * tile; a running one cancels one that still waits, and takes over its tile. A record is the answer of the hardware, 16
 * opaque bytes, written to every CTA of the cluster by the asynchronous proxy.
 *
 * <p>A failed answer says that this cluster gets no more, not that all tiles are taken: what is still waiting will be
 * launched as clusters of its own.
 *
 * <p>To ask after the CTA has seen a failed answer is undefined, whichever of its threads saw it. With several queries
 * in flight an answer may be there before the last query that precedes it in the text is made; so it is released to the
 * readers, which complete no phase before bytes are expected, only when the thread that asks is about to read it
 * itself.
 */
public record CancelSource(ClusterPlace cluster) implements TileSource {

    @Override
    public boolean failsForGood() {
        return false;
    }

    @Override
    public void reuse(CodeBuilder b) {
        // Readers looked at the slot through the generic proxy; the hardware writes through the asynchronous one.
        b.fenceAnswerReuse();
    }

    @Override
    public void ask(CodeBuilder b, TileRing ring, PipelineState producer, Optional<Reg<Pred>> exhausted) {
        SharedAddress full = ring.pipeline().fullBarrier(b, producer);
        SharedAddress answer = ring.slot(b, producer);
        if (cluster.size() == 1) {
            b.tryCancelAlone(answer, full);
        } else {
            b.tryCancel(answer, full);
        }
    }

    @Override
    public void release(CodeBuilder b, TileRing ring, PipelineState producer, Optional<Reg<Pred>> exhausted) {
        ring.expect(b, producer);
    }

    @Override
    public void decode(CodeBuilder b, TileRing ring, PipelineState reader, Optional<Reg<B32>> tile, Reg<Pred> valid) {
        Reg<B128> answer = b.loadAnswer(ring.slot(b, reader));
        b.isCanceled(valid, answer);
        tile.ifPresent(wanted -> {
            b.guarded(valid, g -> g.firstCtaX(wanted, answer));
            if (cluster.size() > 1) {
                b.mov(wanted, new Divisor(cluster.size()).divide(b, wanted));
            }
        });
    }

    @Override
    public void endRead(CodeBuilder b) {
        b.fenceAnswerRead();
    }
}
