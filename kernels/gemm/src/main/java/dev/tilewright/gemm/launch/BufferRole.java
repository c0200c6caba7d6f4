package dev.tilewright.gemm.launch;

import dev.tilewright.model.problem.OperandRole;

/** The global memory buffers that a GEMM kernel may ask for. */
public enum BufferRole {
    /** Input A, M x K. */
    A,
    /** Input B, N x K. */
    B,
    /** Output D, M x N. */
    D,
    /** Scales of A, f32: as {@link dev.tilewright.model.problem.Scales} says. */
    SCALE_A,
    /** Scales of B, f32, likewise. */
    SCALE_B,
    /** Vectors that an epilogue adds, one for each GEMM, along M or N. */
    BIAS,
    /** Matrices that an epilogue adds, M x N. */
    C,
    /** Counters of a dynamic tile scheduler. */
    COUNTER,
    /** Partial sums of tiles that are split along K. */
    WORKSPACE,
    /** How many pieces of each tile have left their sums there. */
    ARRIVALS,
    /** Records of a traced twin. */
    TRACE,
    /** Coordinates of each cluster tile, of several GEMMs. */
    TILES,
    /** Tensor maps of several GEMMs. */
    MAPS,
    /** Pointers and extents of the outputs of several GEMMs, for an epilogue. */
    OUTPUTS;

    /** The buffer of the scales of an operand. */
    public static BufferRole scales(OperandRole operand) {
        return switch (operand) {
            case A -> SCALE_A;
            case B -> SCALE_B;
        };
    }
}
