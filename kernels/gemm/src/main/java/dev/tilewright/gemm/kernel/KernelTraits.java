package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.kernel.TileLookup.Matrix;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.space.parameter.ClusterOrder;
import dev.tilewright.space.parameter.Scheduler;
import java.util.List;
import java.util.Optional;

/**
 * The facts that a kernel's arguments and its launch depend on.
 *
 * @param order by which clusters take tiles
 * @param traced whether it fills a trace
 * @param threads of a CTA
 * @param tileK depth of a k block
 * @param boxes of the inputs, then of the output: that of all panels, and that of the last one where it is narrower
 * @param scales which inputs of 8 bits share a scale
 * @param scaled whether the product is multiplied with the scale of tensors, which is an argument
 * @param epilogue what is done behind the scales before the product is stored
 * @param split how tiles are split along K, for clusters of their own; absent if they are not
 * @param parts CTAs of a cluster that share the depth of a tile
 * @param overlaps whether the kernel waits itself for the launches ahead of it
 */
public record KernelTraits(
        Scheduler scheduler,
        ClusterOrder order,
        boolean traced,
        int threads,
        int tileK,
        List<TensorBox> boxes,
        Scales scales,
        boolean scaled,
        Epilogue epilogue,
        Optional<Split> split,
        int parts,
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

    public KernelTraits {
        boxes = List.copyOf(boxes);
    }

    /** Into how many pieces each tile is cut: 1 where it is whole. */
    int pieces() {
        return split.map(Split::pieces).orElse(1);
    }

    /** Blocks of K that a tile of the problem has, the last maybe partial. */
    int kBlocks(Problem problem) {
        return Math.ceilDiv(problem.shape().k(), tileK);
    }

    /** The types of the matrices. */
    OperandTypes types() {
        return new OperandTypes(
                box(Matrix.A).type(), box(Matrix.B).type(), box(Matrix.D).type());
    }

    /** The layouts of the matrices. */
    OperandMajors majors() {
        return new OperandMajors(
                box(Matrix.A).major(), box(Matrix.B).major(), box(Matrix.D).major());
    }

    private TensorBox box(Matrix matrix) {
        return boxes.stream()
                .filter(box -> box.matrix() == matrix)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the kernel moves " + matrices() + ", not " + matrix));
    }

    /** The matrices that are moved by TMA, in the order of their maps. */
    List<Matrix> matrices() {
        return boxes.stream().map(TensorBox::matrix).toList();
    }

    /** The matrices that are loaded, in the order of a stage. */
    public List<Matrix> inputs() {
        return matrices().stream()
                .filter(matrix -> matrix.buffer() != BufferRole.D)
                .toList();
    }

    /** The matrices that are stored: D, once for each box that it is stored by. */
    public List<Matrix> outputs() {
        return matrices().stream()
                .filter(matrix -> matrix.buffer() == BufferRole.D)
                .toList();
    }

    /** The tensor maps of all GEMMs of a launch: GEMM by GEMM those of its matrices. */
    List<Argument.TensorMap> maps(LaunchFacts facts) {
        return facts.gemms().stream()
                .flatMap(gemm -> boxes.stream().map(box -> map(box, gemm, facts.promotion())))
                .toList();
    }

    /**
     * The tensor map of one matrix of a GEMM.
     *
     * @param promotion bytes that L2 fetches at once of the inputs
     */
    Argument.TensorMap map(Matrix matrix, OperandLayout.Gemm gemm, int promotion) {
        return map(box(matrix), gemm, promotion);
    }

    private static Argument.TensorMap map(TensorBox box, OperandLayout.Gemm gemm, int promotion) {
        return box.map(gemm, box.matrix().buffer() == BufferRole.D ? NO_PROMOTION : promotion);
    }
}
