package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** {@link AsyncCopy}: cp.async without bulk, which is taken already. */
final class AsyncCopyParser {
    private static final Pattern HINT = Pattern.compile("L2::(64B|128B|256B)");

    private AsyncCopyParser() {}

    static Instruction copy(Line in) {
        if (!in.sees("ca") && !in.sees("cg")) {
            return FormParser.nearest(in);
        }
        in.require("async");
        boolean aroundL1 = in.has("cg");
        in.has("ca");
        StateSpace to = in.space();
        if (in.space() != StateSpace.GLOBAL) {
            throw in.refuse("the source must be .global");
        }
        List<String> hints = in.all(HINT);
        boolean policy = in.has("L2::cache_hint");
        Address destination = Addresses.of(in, to);
        GlobalAddress source = Addresses.global(in);
        int bytes = in.constant("the bytes", 4, 16);
        // A policy is the last operand; what stands before it is the number of bytes that are read.
        boolean more = in.more() && (!policy || in.cursor().peek(2).isMark(","));
        if (more
                && in.names().register(in.cursor().peek(1).text()) instanceof Reg<?> register
                && register.type() == ScalarType.PRED) {
            throw in.unsupported("a predicate that leaves out the source is not supported");
        }
        Optional<Operand<B32>> sourceBytes = more ? Optional.of(in.word()) : Optional.empty();
        Optional<Operand<B64>> hint = policy ? Optional.of(in.wide()) : Optional.empty();
        return new AsyncCopy.Copy(aroundL1, destination, source, bytes, sourceBytes, hints, hint);
    }
}
