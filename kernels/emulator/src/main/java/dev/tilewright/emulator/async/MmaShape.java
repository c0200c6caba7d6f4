package dev.tilewright.emulator.async;

/** What a wgmma instruction says; one object for each instruction of a program, compared by identity. */
public final class MmaShape {
    private final int n;
    private final int[] d;
    private final boolean half;
    private final boolean negateA;
    private final boolean negateB;
    private final boolean transposeA;
    private final boolean transposeB;

    /**
     * A wgmma of 64 x n, 16 deep.
     *
     * @param d word registers of the accumulators, n / 2
     * @param half whether inputs are f16; bf16 otherwise
     */
    public MmaShape(
            int n, int[] d, boolean half, boolean negateA, boolean negateB, boolean transposeA, boolean transposeB) {
        this.n = n;
        this.d = d;
        this.half = half;
        this.negateA = negateA;
        this.negateB = negateB;
        this.transposeA = transposeA;
        this.transposeB = transposeB;
    }

    int n() {
        return n;
    }

    int[] d() {
        return d;
    }

    boolean half() {
        return half;
    }

    boolean negateA() {
        return negateA;
    }

    boolean negateB() {
        return negateB;
    }

    boolean transposeA() {
        return transposeA;
    }

    boolean transposeB() {
        return transposeB;
    }
}
