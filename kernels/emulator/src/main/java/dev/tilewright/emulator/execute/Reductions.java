package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.async.BulkStore.Combine;
import dev.tilewright.emulator.memory.Bytes;
import dev.tilewright.ptx.instruction.BulkCopy.ReduceOperation;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;

/** Element by element reductions of bulk copies into global memory. */
final class Reductions {
    private Reductions() {}

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
        if (type == ScalarType.BF16 || type == ScalarType.F16) {
            double a = ConvertOperations.widen(type, old);
            double b = ConvertOperations.widen(type, value);
            float result = switch (operation) {
                case ADD -> (float) (a + b);
                case MIN -> (float) Math.min(a, b);
                case MAX -> (float) Math.max(a, b);
                case AND, OR, XOR -> throw new IllegalArgumentException(operation.ptx() + " of floats");
            };
            return ConvertOperations.narrow(result, type == ScalarType.F16, Rounding.RN);
        }
        return MemoryOperations.combine(atomic(operation), type, old, value, 0);
    }

    private static AtomicOperation atomic(ReduceOperation operation) {
        return switch (operation) {
            case ADD -> AtomicOperation.ADD;
            case MIN -> AtomicOperation.MIN;
            case MAX -> AtomicOperation.MAX;
            case AND -> AtomicOperation.AND;
            case OR -> AtomicOperation.OR;
            case XOR -> AtomicOperation.XOR;
        };
    }
}
