package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.async.BulkStore.Combine;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.ptx.instruction.BulkCopy.ReduceOperation;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/** Element by element reductions of bulk copies into global memory. */
final class Reductions {
    private Reductions() {}

    /** Why elements of a type are not reduced so, if they are not. */
    static Optional<String> refusal(ReduceOperation operation, ScalarType type) {
        boolean half = type == ScalarType.F16 || type == ScalarType.BF16;
        boolean whole = !type.isFloat() && type.bits() >= 32;
        boolean legal = switch (operation) {
            case ADD -> whole || half || type == ScalarType.F32 || type == ScalarType.F64;
            case MIN, MAX -> (whole && !type.isBits()) || half;
            case INC, DEC -> type == ScalarType.U32;
            case AND, OR, XOR -> whole;
        };
        return legal
                ? Optional.empty()
                : Optional.of("a bulk reduction does not " + operation.ptx() + " elements of type ." + type.ptx());
    }

    static Combine combine(ReduceOperation operation, ScalarType type) {
        int size = type.bytes();
        return (target, at, source, from, bytes) -> {
            for (int i = 0; i < bytes; i += size) {
                long old = Bytes.get(target, at + i, size);
                long value = Bytes.get(source, from + i, size);
                Bytes.put(target, at + i, size, element(operation, type, old, value));
            }
        };
    }

    private static long element(ReduceOperation operation, ScalarType type, long old, long value) {
        if (type == ScalarType.F32) {
            float sum = flush(Float.intBitsToFloat((int) old)) + flush(Float.intBitsToFloat((int) value));
            return Float.floatToRawIntBits(flush(sum)) & 0xFFFFFFFFL;
        }
        if (type == ScalarType.BF16 || type == ScalarType.F16) {
            double a = ConvertOperations.widen(type, old);
            double b = ConvertOperations.widen(type, value);
            float result = switch (operation) {
                case ADD -> (float) (a + b);
                case MIN -> (float) Math.min(a, b);
                case MAX -> (float) Math.max(a, b);
                case INC, DEC, AND, OR, XOR -> throw new IllegalArgumentException(operation.ptx() + " of floats");
            };
            return ConvertOperations.narrow(result, type == ScalarType.F16, Rounding.RN);
        }
        return MemoryOperations.combine(atomic(operation), type, old, value, 0);
    }

    /** A sum of f32 takes and gives subnormals as zeros of their sign. */
    private static float flush(float value) {
        return Math.abs(value) < Float.MIN_NORMAL ? Math.copySign(0f, value) : value;
    }

    private static AtomicOperation atomic(ReduceOperation operation) {
        return switch (operation) {
            case ADD -> AtomicOperation.ADD;
            case MIN -> AtomicOperation.MIN;
            case MAX -> AtomicOperation.MAX;
            case INC -> AtomicOperation.INC;
            case DEC -> AtomicOperation.DEC;
            case AND -> AtomicOperation.AND;
            case OR -> AtomicOperation.OR;
            case XOR -> AtomicOperation.XOR;
        };
    }
}
