package dev.tilewright.launch;

import dev.tilewright.launch.element.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The value that is passed to a kernel for one of its parameters. */
public sealed interface KernelParameter {
    int MAP_BYTES = 128;

    /** Its size. */
    int bytes();

    /**
     * A number, as bits of its type.
     *
     * @param role what it stands for, where a program may pass another one
     */
    record Scalar(ElementType type, long bits, Optional<ScalarRole> role) implements KernelParameter {

        /** A number that every launch passes as it is. */
        public Scalar(ElementType type, long bits) {
            this(type, bits, Optional.empty());
        }

        @Override
        public int bytes() {
            return type.bytes();
        }
    }

    /** The address of a byte of a buffer. */
    record Pointer(String buffer, long offset) implements KernelParameter {
        @Override
        public int bytes() {
            return Long.BYTES;
        }
    }

    /** The address 0. */
    record NullPointer() implements KernelParameter {
        @Override
        public int bytes() {
            return Long.BYTES;
        }
    }

    /**
     * A tensor map by value.
     *
     * @param offset bytes from the start of the buffer to that of the tensor
     */
    record MapByValue(String buffer, long offset, TensorMap map) implements KernelParameter {
        @Override
        public int bytes() {
            return MAP_BYTES;
        }
    }

    /** Bytes as they are. */
    record Raw(byte[] content) implements KernelParameter {
        @Override
        public int bytes() {
            return content.length;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Raw raw && Arrays.equals(content, raw.content);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(content);
        }
    }

    /** Fields at their offsets; bytes between them are 0. */
    record Struct(int bytes, List<Field> fields) implements KernelParameter {
        public Struct {
            fields = List.copyOf(fields);
        }
    }

    /** A field of a struct, which is no struct itself. */
    record Field(int at, KernelParameter value) {}
}
