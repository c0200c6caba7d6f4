package dev.tilewright.ptx.type;

/** A fundamental or packed PTX type as it is written behind a dot; also the declared type of a register. */
public enum ScalarType implements Spelled {
    PRED("pred", 1, Kind.PREDICATE),
    B8("b8", 8, Kind.BITS),
    B16("b16", 16, Kind.BITS),
    B32("b32", 32, Kind.BITS),
    B64("b64", 64, Kind.BITS),
    B128("b128", 128, Kind.BITS),
    U8("u8", 8, Kind.UNSIGNED),
    U16("u16", 16, Kind.UNSIGNED),
    U32("u32", 32, Kind.UNSIGNED),
    U64("u64", 64, Kind.UNSIGNED),
    S8("s8", 8, Kind.SIGNED),
    S16("s16", 16, Kind.SIGNED),
    S32("s32", 32, Kind.SIGNED),
    S64("s64", 64, Kind.SIGNED),
    F16("f16", 16, Kind.FLOAT),
    BF16("bf16", 16, Kind.FLOAT),
    F16X2("f16x2", 32, Kind.FLOAT),
    BF16X2("bf16x2", 32, Kind.FLOAT),
    F32("f32", 32, Kind.FLOAT),
    F32X2("f32x2", 64, Kind.FLOAT),
    F64("f64", 64, Kind.FLOAT);

    private enum Kind {
        PREDICATE,
        BITS,
        UNSIGNED,
        SIGNED,
        FLOAT
    }

    private final String ptx;
    private final int bits;
    private final Kind kind;

    ScalarType(String ptx, int bits, Kind kind) {
        this.ptx = ptx;
        this.bits = bits;
        this.kind = kind;
    }

    /** The name as PTX writes it, without the dot. */
    @Override
    public String ptx() {
        return ptx;
    }

    public int bits() {
        return bits;
    }

    public int bytes() {
        return Math.max(1, bits / 8);
    }

    public boolean isFloat() {
        return kind == Kind.FLOAT;
    }

    /** True for signed and unsigned integers, not for untyped bits. */
    public boolean isInteger() {
        return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
    }

    public boolean isSigned() {
        return kind == Kind.SIGNED;
    }

    public boolean isBits() {
        return kind == Kind.BITS;
    }

    /**
     * Whether a register declared with {@code register} may stand where an instruction of this type reads or writes.
     * PTX 9.4: the sizes agree, and bits agree with everything, integers with integers. Half precision lives in
     * registers of bits.
     */
    public boolean accepts(ScalarType register) {
        if (this == PRED || register == PRED) {
            return this == register;
        }
        if (bits != register.bits) {
            return false;
        }
        return isBits() || register.isBits() || this == register || (isInteger() && register.isInteger());
    }

    /** As above for ld, st and cvt, which take integer and bit registers wider than their type. PTX 9.4.1. */
    public boolean acceptsWide(ScalarType register) {
        boolean wider = register.bits > bits && !register.isFloat() && this != PRED;
        return accepts(register) || (wider && (!isFloat() || bits == 16));
    }

    /** The type of a register that holds such a value: half precision and pairs lie in registers of bits. */
    public ScalarType register() {
        return isFloat() && this != F32 && this != F64 ? untyped() : this;
    }

    /** The unsigned integer of the same size. */
    public ScalarType unsigned() {
        return switch (bits) {
            case 8 -> U8;
            case 16 -> U16;
            case 32 -> U32;
            case 64 -> U64;
            default -> throw new IllegalArgumentException("no unsigned integer of the size of ." + ptx);
        };
    }

    /** The signed integer of the same size. */
    public ScalarType signed() {
        return switch (bits) {
            case 8 -> S8;
            case 16 -> S16;
            case 32 -> S32;
            case 64 -> S64;
            default -> throw new IllegalArgumentException("no signed integer of the size of ." + ptx);
        };
    }

    /** Untyped bits of the same size. */
    public ScalarType untyped() {
        return switch (bits) {
            case 8 -> B8;
            case 16 -> B16;
            case 32 -> B32;
            case 64 -> B64;
            case 128 -> B128;
            default -> throw new IllegalArgumentException("no untyped bits of the size of ." + ptx);
        };
    }
}
