package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.AtomicAccess;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.instruction.MemoryAccess;
import dev.tilewright.ptx.instruction.Synchronisation;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** atom and red, in {@link Memory}, {@link MemoryAccess} and {@link Synchronisation}. */
final class AtomicParser {
    private static final Map<String, AtomicOperation> OPERATIONS =
            Spellings.of(AtomicOperation.values(), AtomicOperation::ptx);

    private AtomicParser() {}

    static Instruction atomic(Line in) {
        boolean result = in.opcode().equals("atom");
        if (!result && in.has("async")) {
            return reduceAsync(in);
        }
        boolean policy = in.has("L2::cache_hint");
        AtomicAccess access = access(in, result);
        return policy ? new Synchronisation.HintedAtomic(access, in.wide()) : access;
    }

    /** Everything but a policy behind it. */
    private static AtomicAccess access(Line in, boolean result) {
        Ordering ordering = in.ordering(Sem.RELAXED, Scope.GPU);
        StateSpace space = in.space();
        AtomicOperation operation = in.one(OPERATIONS, "an operation");
        boolean noFlush = in.has("noftz");
        int elements = in.counted("v", "").orElse(1);
        ScalarType type = in.type();
        List<Reg<?>> d = result ? MemoryParser.destinations(in, elements) : List.of();
        Address address = Addresses.of(in, space);
        List<Operand<?>> b = in.scalarOrVector(type, elements);
        Optional<Operand<?>> c = Optional.empty();
        if (operation == AtomicOperation.CAS) {
            Operand<RegisterType> third = in.value(type);
            c = Optional.of(third);
        }
        if (type == ScalarType.B128) {
            if (!result || c.isEmpty() && operation != AtomicOperation.EXCH) {
                throw in.refuse("128 bits are exchanged or compared and swapped, nothing else");
            }
            return new Synchronisation.Exchange128(ordering, d.getFirst(), address, b.getFirst(), c);
        }
        boolean halves = type.bits() == 16 || type == ScalarType.F16X2 || type == ScalarType.BF16X2;
        if (noFlush || elements > 1 || halves) {
            return new MemoryAccess.Atomic(ordering, operation, noFlush, type, d, address, b, c);
        }
        return result
                ? new Memory.Atomic(ordering, operation, type, d.getFirst(), address, b.getFirst(), c)
                : new Memory.Reduce(ordering, operation, type, address, b.getFirst());
    }

    private static Instruction reduceAsync(Line in) {
        if (in.sees("release")) {
            throw in.unsupported("reductions in global memory are not supported");
        }
        in.require("relaxed", "cluster", "shared::cluster", "mbarrier::complete_tx::bytes");
        AtomicOperation operation = in.one(OPERATIONS, "an operation");
        ScalarType type = in.type();
        ClusterAddress address = Addresses.cluster(in);
        return new Synchronisation.ReduceAsync(operation, type, address, in.value(type), Addresses.cluster(in));
    }
}
