package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.instruction.Synchronisation;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** atom and red, in {@link Memory} and {@link Synchronisation}. */
final class AtomicParser {
    private static final Map<String, AtomicOperation> OPERATIONS =
            Spellings.of(AtomicOperation.values(), AtomicOperation::ptx);

    private AtomicParser() {}

    static Instruction atomic(Line in) {
        boolean result = in.opcode().equals("atom");
        if (!result && in.has("async")) {
            return reduceAsync(in);
        }
        boolean hint = in.has("L2::cache_hint");
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
        Optional<Operand<B64>> policy = hint ? Optional.of(in.wide()) : Optional.empty();
        return result
                ? new Memory.Atomic(ordering, operation, noFlush, type, d, address, b, c, policy)
                : new Memory.Reduce(ordering, operation, noFlush, type, address, b, policy);
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
