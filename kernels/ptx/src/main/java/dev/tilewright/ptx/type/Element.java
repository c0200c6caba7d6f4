package dev.tilewright.ptx.type;

/**
 * Type of an element that lies in a matrix, or side by side with others in a register; beside the {@link ScalarType}s
 * of registers themselves. PTX 9.7.14, 9.7.9.21.
 */
public enum Element implements Spelled {
    F16("f16", 16),
    BF16("bf16", 16),
    TF32("tf32", 32),
    E4M3("e4m3", 8),
    E5M2("e5m2", 8),
    S8("s8", 8),
    U8("u8", 8),
    F32("f32", 32),
    F64("f64", 64),
    S32("s32", 32);

    private final String ptx;
    private final int bits;

    Element(String ptx, int bits) {
        this.ptx = ptx;
        this.bits = bits;
    }

    @Override
    public String ptx() {
        return ptx;
    }

    public int bits() {
        return bits;
    }

    /** The type of a register with such elements; those of less than 32 bits are packed. */
    public ScalarType register() {
        return switch (this) {
            case F32 -> ScalarType.F32;
            case F64 -> ScalarType.F64;
            case F16, BF16, TF32, E4M3, E5M2, S8, U8, S32 -> ScalarType.B32;
        };
    }

    /** Whether it is an integer of 8 bits. */
    public boolean isInteger() {
        return this == S8 || this == U8;
    }

    /** Whether it is a float of 8 bits. */
    public boolean isEight() {
        return this == E4M3 || this == E5M2;
    }
}
