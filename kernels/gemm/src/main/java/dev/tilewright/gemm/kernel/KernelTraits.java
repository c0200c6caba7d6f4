package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.space.Scheduler;
import java.util.List;

/**
 * What a kernel's arguments and its launch depend on.
 *
 * @param traced whether it fills a trace
 * @param threads of a CTA
 * @param tileK depth of a k block
 * @param d boxes of the output: that of all panels, and that of the last one where it is narrower
 */
public record KernelTraits(
        Scheduler scheduler, boolean traced, int threads, int tileK, TensorBox a, TensorBox b, List<TensorBox> d) {

    public KernelTraits {
        d = List.copyOf(d);
        if (d.isEmpty() || d.size() > 2) {
            throw new IllegalArgumentException("an output is stored by 1 or 2 boxes, got " + d.size());
        }
    }

    /** Tensor maps of one GEMM: those of A and B, and one for each box of the output. */
    int mapsOfGemm() {
        return 2 + d.size();
    }
}
