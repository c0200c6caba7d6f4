package dev.tilewright.worker.gpu.peer;

import dev.tilewright.space.vendor.VendorAlgorithm;
import dev.tilewright.worker.gpu.cuda.CublasAlgorithm;
import dev.tilewright.worker.gpu.cuda.CublasGemm;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.LaunchCapture;
import dev.tilewright.worker.gpu.verify.OperandSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Walks through algorithms of cublasLt: of those that launch the same kernels it takes the first. Where a launch cannot
 * be recorded, all algorithms count as different.
 */
final class CublasDraw implements PeerDraw {

    /** Algorithms that are asked for before the caller may look at its clock. */
    private static final int AT_ONCE = 200;

    private final CublasGemm gemm;
    private final LaunchCapture capture;
    private final OperandSet operands;
    private final Iterator<VendorAlgorithm> order;
    private final BiFunction<VendorAlgorithm, CublasAlgorithm, PeerArm> arms;
    private final Set<String> kernels = new HashSet<>();
    private int tried;
    private int valid;
    private int refused;
    private String trouble = "";

    /**
     * @param operands on which launches are recorded
     * @param order in which they are worth a try
     * @param arms makes an arm of an algorithm
     */
    CublasDraw(
            CublasGemm gemm,
            LaunchCapture capture,
            OperandSet operands,
            Iterator<VendorAlgorithm> order,
            BiFunction<VendorAlgorithm, CublasAlgorithm, PeerArm> arms) {
        this.gemm = gemm;
        this.capture = capture;
        this.operands = operands;
        this.order = order;
        this.arms = arms;
        try {
            for (int i = 0; i < gemm.algorithms(); i++) {
                int algorithm = i;
                record(() -> gemm.enqueue(
                        algorithm,
                        operands.a().address(),
                        operands.b().address(),
                        operands.d().address()));
            }
        } catch (CudaException unrecorded) {
            if (unrecorded.isSticky()) {
                throw unrecorded;
            }
            trouble = "launches cannot be told apart: " + unrecorded.getMessage();
        }
    }

    /** Whether nothing like it was recorded before. */
    private boolean record(Runnable launch) {
        return kernels.add(capture.capture(launch).kernels());
    }

    @Override
    public Optional<PeerArm> next() {
        for (int i = 0; i < AT_ONCE && order.hasNext(); i++) {
            VendorAlgorithm algorithm = order.next();
            tried++;
            Optional<CublasAlgorithm> taken =
                    gemm.all().set(algorithm.attributes()).taken();
            if (taken.isPresent()) {
                valid++;
                if (isNew(taken.get())) {
                    return Optional.of(arms.apply(algorithm, taken.get()));
                }
            }
        }
        return Optional.empty();
    }

    private boolean isNew(CublasAlgorithm algorithm) {
        if (!trouble.isEmpty()) {
            return true;
        }
        try {
            return record(() -> gemm.enqueue(
                    algorithm,
                    operands.a().address(),
                    operands.b().address(),
                    operands.d().address()));
        } catch (CudaException refusal) {
            if (refusal.isSticky()) {
                throw refusal;
            }
            refused++;
            return false;
        }
    }

    @Override
    public boolean isOver() {
        return !order.hasNext();
    }

    @Override
    public Seen seen() {
        return new Seen(tried, valid, kernels.size(), refused, trouble);
    }
}
