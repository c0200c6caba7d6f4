package dev.tilewright.model.problem;

/** The inputs of D[M,N] = A[M,K] · B[N,K]ᵀ. */
public enum OperandRole {
    /** M x K: its rows are those of D. */
    A(Major.M),
    /** N x K: its rows are the columns of D. */
    B(Major.N);

    private final Major rows;

    OperandRole(Major rows) {
        this.rows = rows;
    }

    /** The dimension of D that its rows run along. */
    public Major rows() {
        return rows;
    }

    /** The other input. */
    public OperandRole other() {
        return this == A ? B : A;
    }
}
