package dev.tilewright.ptx;

import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Optional;

/**
 * A kernel parameter.
 *
 * @param bytes size
 * @param alignment of its offset in the parameter space, in bytes
 * @param pointee what it points to, if the kernel promises that
 */
public record Param(String name, Kind kind, int bytes, int alignment, Optional<Pointee> pointee) {
    /**
     * {@code .ptr}: where a pointer points.
     *
     * @param space generic if it says none; the pointer is generic for global memory too
     * @param alignment of what it points to, bytes
     */
    public record Pointee(StateSpace space, int alignment) {
        public Pointee {
            SharedRegion.requireAlignment("pointee", alignment);
        }
    }

    private static final Optional<Pointee> BUFFER = Optional.of(new Pointee(StateSpace.GLOBAL, 16));

    /** The kind of value that is passed. */
    public enum Kind {
        U8(ScalarType.U8, 1, 1),
        U16(ScalarType.U16, 2, 2),
        U32(ScalarType.U32, 4, 4),
        S32(ScalarType.S32, 4, 4),
        F32(ScalarType.F32, 4, 4),
        F64(ScalarType.F64, 8, 8),
        U64(ScalarType.U64, 8, 8),
        /** A generic pointer to global memory, aligned to 16 bytes. */
        POINTER(ScalarType.U64, 8, 8),
        /** A CUtensorMap of 128 bytes by value, aligned to 64. */
        TENSOR_MAP(ScalarType.B8, 128, 64),
        /** Bytes by value: a struct. Size and alignment are the parameter's own. */
        BYTES(ScalarType.B8, 0, 1);

        private final ScalarType type;
        private final int bytes;
        private final int alignment;

        Kind(ScalarType type, int bytes, int alignment) {
            this.type = type;
            this.bytes = bytes;
            this.alignment = alignment;
        }

        /** Type of one element. */
        public ScalarType type() {
            return type;
        }

        public int bytes() {
            return bytes;
        }

        public int alignment() {
            return alignment;
        }
    }

    public Param {
        if (kind != Kind.BYTES && (bytes != kind.bytes() || alignment != kind.alignment())) {
            throw new IllegalArgumentException("parameter " + name + ": " + kind + " has " + kind.bytes()
                    + " bytes aligned to " + kind.alignment() + ", got " + bytes + " aligned to " + alignment);
        }
        if (pointee.isPresent() && kind != Kind.U64 && kind != Kind.POINTER) {
            throw new IllegalArgumentException("parameter " + name + ": a " + kind + " points nowhere");
        }
        if (kind == Kind.POINTER && !pointee.equals(BUFFER)) {
            throw new IllegalArgumentException(
                    "parameter " + name + ": a POINTER is to global memory aligned to 16 bytes, got " + pointee);
        }
        if (bytes < 1) {
            throw new IllegalArgumentException("parameter " + name + ": bytes must be positive, got " + bytes);
        }
        SharedRegion.requireAlignment(name, alignment);
        if (!name.matches("[A-Za-z_$%][A-Za-z0-9_$]*")) {
            throw new IllegalArgumentException("parameter: not a PTX identifier: '" + name + "'");
        }
    }

    /** A parameter that promises nothing about what it points to, but for a POINTER. */
    public Param(String name, Kind kind, int bytes, int alignment) {
        this(name, kind, bytes, alignment, kind == Kind.POINTER ? BUFFER : Optional.empty());
    }

    /** A parameter of a kind that has one size. */
    public Param(String name, Kind kind) {
        this(name, kind, kind.bytes(), kind.alignment());
    }
}
