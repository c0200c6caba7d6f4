package dev.tilewright.examples.step;

import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.ptx.EntryBuilder;

/**
 * One kernel of the ladder: D[M,N] = A[M,K] · B[N,K]ᵀ in bf16 with f32 sums; A and B K-major, D row-major. N and K are
 * multiples of 8, M is any. Every CTA computes tiles of 128 x 128, or of as many columns as its {@link Geometry} says,
 * in blocks of 64 along K. A box that reaches beyond an operand is filled with zeros, and a store that reaches beyond D
 * is clipped, so that no step has code for the tails.
 */
public interface Step {

    /** Rows of the tile of a CTA, and its columns where {@link Geometry#columns} is not another number. */
    int TILE = 128;

    /** Depth of a block along K. */
    int DEPTH = 64;

    /** The idea and the launch of the step. */
    Facts facts();

    /** Declares parameters and shared memory, and appends the code. */
    void build(EntryBuilder entry);

    /**
     * Facts of a step apart from its code.
     *
     * @param adds the idea that the step adds to the step before it, in one line
     * @param geometry threads, cluster and grid of a launch
     * @param proofShape the shape that proves the step on 2 SMs: it has tails, and every ring wraps three times
     */
    record Facts(String adds, Geometry geometry, ProblemShape proofShape) {}
}
