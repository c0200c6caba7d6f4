package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Memory.CacheHints;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** {@link Memory}. */
final class MemoryParser {
    private static final Pattern HINT =
            Pattern.compile("L[12]::(evict_(normal|unchanged|first|last)|no_allocate|64B|128B|256B)");

    /** The modifiers of ld and st, up to the type. */
    private record Access(
            Ordering ordering,
            StateSpace space,
            CacheOperator cache,
            List<String> hints,
            boolean policy,
            int elements,
            ScalarType type) {
        static Access read(Line in) {
            Ordering ordering = in.ordering(Sem.RELAXED, Scope.NONE);
            StateSpace space = in.space();
            CacheOperator cache = in.maybe(Spellings.CACHES).orElse(CacheOperator.NONE);
            List<String> hints = in.all(HINT);
            boolean policy = in.has("L2::cache_hint");
            int elements = in.counted("v", "").orElse(1);
            return new Access(ordering, space, cache, hints, policy, elements, in.type());
        }

        /** With the policy, the last operand. */
        CacheHints hints(Line in) {
            Optional<Operand<B64>> operand = policy ? Optional.of(in.wide()) : Optional.empty();
            return new CacheHints(hints, operand);
        }
    }

    private MemoryParser() {}

    static Instruction load(Line in) {
        Access access = Access.read(in);
        List<Reg<?>> d = destinations(in, access.elements());
        if (access.space() == StateSpace.PARAM && isOfCall(in, 2)) {
            return CallParser.load(in, access.type(), d);
        }
        Address address = Addresses.of(in, access.space());
        if (in.cursor().peek().is(Kind.MODIFIER, "unified")) {
            throw in.unsupported("an address in a unified variable is not supported");
        }
        return new Memory.Load(access.ordering(), access.cache(), access.hints(in), access.type(), d, address);
    }

    static List<Reg<?>> destinations(Line in, int elements) {
        // One register may stand in braces too.
        if (elements == 1 && !in.nextIsVector()) {
            Reg<?> only = in.register();
            return List.of(only);
        }
        List<Reg<?>> d = List.copyOf(in.registers());
        in.requireElements(d.size(), elements);
        return d;
    }

    /** Whether the name {@code ahead} tokens from here, in an address, is a parameter variable of a call. */
    private static boolean isOfCall(Line in, int ahead) {
        Symbol symbol = in.symbol(in.cursor().peek(ahead));
        return symbol != null && symbol.ofCall();
    }

    static Instruction store(Line in) {
        if (in.sees("async")) {
            throw in.unsupported("stores of this kind are not supported");
        }
        Access access = Access.read(in);
        if (access.space() == StateSpace.PARAM && isOfCall(in, 1)) {
            return CallParser.store(in, access.type(), access.elements());
        }
        Address address = Addresses.of(in, access.space());
        List<Operand<?>> values = in.scalarOrVector(access.type(), access.elements());
        return new Memory.Store(access.ordering(), access.cache(), access.hints(in), access.type(), address, values);
    }
}
