package dev.tilewright.launch;

/** Extents of a grid in CTAs, of a block in threads or of a cluster in CTAs; each positive. */
public record Extents(int x, int y, int z) {
    public Extents {
        if (x < 1 || y < 1 || z < 1) {
            throw new IllegalArgumentException("extents must be positive, got " + x + "x" + y + "x" + z);
        }
    }

    public static Extents of(int x) {
        return new Extents(x, 1, 1);
    }

    /** Their product. */
    public long count() {
        return Math.multiplyExact((long) x * y, (long) z);
    }
}
