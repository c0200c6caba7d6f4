package dev.tilewright.model.problem;

/** The dimension of an operand whose neighbours are neighbours in memory; written in lower case. */
public enum Major {
    M,
    N,
    K;

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
