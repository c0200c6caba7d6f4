package dev.tilewright.worker.gpu.peer;

import dev.tilewright.space.vendor.VendorAlgorithm;
import dev.tilewright.worker.gpu.cuda.CapturedLaunch;
import dev.tilewright.worker.gpu.cuda.CublasAlgorithm;
import dev.tilewright.worker.gpu.cuda.CublasGemm;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.LaunchCapture;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
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
    private final Iterator<VendorAlgorithm> order;
    private final BiFunction<VendorAlgorithm, CublasAlgorithm, PeerArm> arms;
    private final Set<CapturedLaunch> kernels = new HashSet<>();
    private int tried;
    private int valid;
    private int refused;
    private String trouble = "";

    /**
     * @param heuristic the arms that the library returns by itself
     * @param order in which they are worth a try
     * @param arms makes an arm of an algorithm
     */
    CublasDraw(
            CublasGemm gemm,
            LaunchCapture capture,
            List<PeerArm> heuristic,
            Iterator<VendorAlgorithm> order,
            BiFunction<VendorAlgorithm, CublasAlgorithm, PeerArm> arms) {
        this.gemm = gemm;
        this.capture = capture;
        this.order = order;
        this.arms = arms;
        try {
            heuristic.forEach(this::record);
        } catch (CudaException unrecorded) {
            unrecorded.throwIfSticky();
            trouble = "launches cannot be told apart: " + unrecorded.getMessage();
        }
    }

    /** Whether nothing like it was recorded before. */
    private boolean record(PeerArm arm) {
        return kernels.add(capture.capture(() -> arm.arm().enqueue(0)));
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
                PeerArm arm = arms.apply(algorithm, taken.get());
                if (isNew(arm)) {
                    return Optional.of(arm);
                }
            }
        }
        return Optional.empty();
    }

    private boolean isNew(PeerArm arm) {
        if (!trouble.isEmpty()) {
            return true;
        }
        try {
            return record(arm);
        } catch (CudaException refusal) {
            refusal.throwIfSticky();
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
