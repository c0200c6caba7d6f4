package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@link CachePolicy}. */
final class CachePolicyParser {
    private static final Map<String, EvictionPriority> PRIORITIES = Arrays.stream(EvictionPriority.values())
            .collect(Collectors.toUnmodifiableMap(priority -> "L2::" + priority.ptx(), Function.identity()));
    /** The only number of bytes that the instructions for lines take. */
    private static final int LINE_BYTES = 128;

    private CachePolicyParser() {}

    static Instruction createPolicy(Line in) {
        in.require("b64");
        if (in.has("cvt")) {
            in.require("L2");
            return new CachePolicy.FromProperty(in.register(), in.wide());
        }
        if (in.has("range")) {
            return range(in);
        }
        in.require("fractional");
        EvictionPriority primary = in.one(PRIORITIES, "a priority");
        Optional<EvictionPriority> secondary = in.maybe(PRIORITIES);
        Reg<B64> d = in.register();
        Optional<Operand<F32>> fraction = in.more() ? Optional.of(in.value(ScalarType.F32)) : Optional.empty();
        return new CachePolicy.Fractional(d, primary, secondary, fraction);
    }

    private static Instruction range(Line in) {
        StateSpace space = in.space();
        EvictionPriority primary = in.one(PRIORITIES, "a priority");
        Optional<EvictionPriority> secondary = in.maybe(PRIORITIES);
        Reg<RegisterType> d = in.register();
        Address address = Addresses.of(in, space);
        return new CachePolicy.Range(d, primary, secondary, address, in.word(), in.word());
    }

    static Instruction resetPriority(Line in) {
        in.require("L2::evict_normal");
        return new CachePolicy.ResetPriority(line(in));
    }

    static Instruction discard(Line in) {
        in.require("L2");
        return new CachePolicy.Discard(line(in));
    }

    private static Address line(Line in) {
        StateSpace space = in.space();
        Address address = Addresses.of(in, space);
        in.constant("the bytes", LINE_BYTES, LINE_BYTES);
        return address;
    }
}
