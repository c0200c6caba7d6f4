package dev.tilewright.space.parameter;

/** The event that a dynamic scheduler waits for before it requests the next tile. */
public enum Throttle {
    /** Nothing: it asks as soon as the ring has a free slot. */
    NONE("none"),
    /** The loading thread has taken the tile up. */
    LOAD("load"),
    /** It has issued all loads of the tile: nobody is ahead of the multiplications by more than the stages hold. */
    LOADED("loaded"),
    /** All multiplications of the tile have been issued. */
    MAINLOOP("mainloop");

    /** The parameter of {@code sm100-gemm}; that of {@code sm90-gemm} need not be said. */
    public static final Key<Throttle> KEY = Key.named("clcThrottle", Throttle.class);

    private final String value;

    Throttle(String value) {
        this.value = value;
    }

    @Override
    public String toString() {
        return value;
    }
}
