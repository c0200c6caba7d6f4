package dev.tilewright.emulator.run;

/** Extents of a grid, a block or a cluster; positive. */
public record Dim3(int x, int y, int z) {
    public Dim3 {
        if (x < 1 || y < 1 || z < 1) {
            throw new IllegalArgumentException("extents must be positive, got " + x + "x" + y + "x" + z);
        }
    }

    public static Dim3 of(int x) {
        return new Dim3(x, 1, 1);
    }

    public int count() {
        return Math.multiplyExact(Math.multiplyExact(x, y), z);
    }
}
