package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.kernel.TileLookup.Matrix;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.family.ClusterOrder;
import dev.tilewright.space.family.Scheduler;
import java.util.List;
import java.util.Optional;

/**
 * What a kernel's arguments and its launch depend on.
 *
 * @param order by which clusters take tiles
 * @param traced whether it fills a trace
 * @param threads of a CTA
 * @param tileK depth of a k block
 * @param d boxes of the output: that of all panels, and that of the last one where it is narrower
 * @param majors dimensions along which a box has its columns
 * @param scaled whether the product is multiplied with a scale, which is an argument
 * @param split how tiles are split along K; absent if they are not
 * @param overlaps whether the kernel waits itself for the launches ahead of it
 */
public record KernelTraits(
        Scheduler scheduler,
        ClusterOrder order,
        boolean traced,
        int threads,
        int tileK,
        TensorBox a,
        TensorBox b,
        List<TensorBox> d,
        OperandMajors majors,
        boolean scaled,
        Optional<Split> split,
        boolean overlaps) {

    /** D is written, not fetched. */
    private static final int NO_PROMOTION = 0;

    /**
     * Tiles that are split along K: their pieces leave sums for each other.
     *
     * @param pieces of each tile, at least 2, of equal depth
     * @param bytes of the sums that a CTA leaves for one piece
     * @param warpgroups of a CTA that share a tile: each adds up what it has of it
     */
    public record Split(int pieces, int bytes, int warpgroups) {}

    /** Of K-major inputs, a row-major output and no scale, by clusters as launched. */
    public KernelTraits(
            Scheduler scheduler, boolean traced, int threads, int tileK, TensorBox a, TensorBox b, List<TensorBox> d) {
        this(
                scheduler,
                ClusterOrder.LAUNCH,
                traced,
                threads,
                tileK,
                a,
                b,
                d,
                OperandMajors.DEFAULT,
                false,
                Optional.empty(),
                false);
    }

    public KernelTraits {
        d = List.copyOf(d);
        if (d.isEmpty() || d.size() > 2) {
            throw new IllegalArgumentException("an output is stored by 1 or 2 boxes, got " + d.size());
        }
    }

    /** Into how many pieces each tile is cut: 1 where it is whole. */
    int pieces() {
        return split.map(Split::pieces).orElse(1);
    }

    /** Blocks of K that a tile of the problem has, the last maybe partial. */
    int kBlocks(Problem problem) {
        return Math.ceilDiv(problem.shape().k(), tileK);
    }

    /** The matrices that are moved by TMA, in the order of their maps. */
    List<Matrix> matrices() {
        return d.size() == 1
                ? List.of(Matrix.A, Matrix.B, Matrix.D)
                : List.of(Matrix.A, Matrix.B, Matrix.D, Matrix.NARROW_D);
    }

    /** The tensor maps of all GEMMs of a launch: GEMM by GEMM those of its matrices. */
    List<Argument.TensorMap> maps(LaunchFacts facts) {
        return facts.gemms().stream()
                .flatMap(gemm -> matrices().stream().map(matrix -> map(matrix, gemm, facts.promotion())))
                .toList();
    }

    /**
     * The tensor map of one matrix of a GEMM.
     *
     * @param promotion bytes that L2 fetches at once of A and B
     */
    Argument.TensorMap map(Matrix matrix, OperandLayout.Gemm gemm, int promotion) {
        return switch (matrix) {
            case A -> mapOfA(gemm, promotion);
            case B -> mapOfB(gemm, promotion);
            case D -> mapOfD(d.getFirst(), gemm);
            case NARROW_D -> mapOfD(d.getLast(), gemm);
        };
    }

    private Argument.TensorMap mapOfA(OperandLayout.Gemm gemm, int promotion) {
        ProblemShape shape = gemm.shape();
        return majors.a() == Major.K
                ? a.map(BufferRole.A, gemm.a(), shape.k(), shape.m(), promotion)
                : a.map(BufferRole.A, gemm.a(), shape.m(), shape.k(), promotion);
    }

    private Argument.TensorMap mapOfB(OperandLayout.Gemm gemm, int promotion) {
        ProblemShape shape = gemm.shape();
        return majors.b() == Major.K
                ? b.map(BufferRole.B, gemm.b(), shape.k(), shape.n(), promotion)
                : b.map(BufferRole.B, gemm.b(), shape.n(), shape.k(), promotion);
    }

    private static Argument.TensorMap mapOfD(TensorBox box, OperandLayout.Gemm gemm) {
        ProblemShape shape = gemm.shape();
        return box.map(BufferRole.D, gemm.d(), shape.n(), shape.m(), NO_PROMOTION);
    }
}
