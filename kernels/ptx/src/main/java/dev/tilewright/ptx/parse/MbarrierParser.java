package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Mbarrier.Phase;
import dev.tilewright.ptx.instruction.Mbarrier.WaitMode;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Map;

/** {@link Mbarrier}. */
final class MbarrierParser {
    private static final Map<String, WaitMode> WAITS = Spellings.of(WaitMode.values(), WaitMode::ptx);

    private MbarrierParser() {}

    static Instruction await(Line in) {
        if (!in.sees("try_wait") && !in.sees("test_wait")) {
            return FormParser.nearest(in);
        }
        in.require("b64");
        WaitMode mode = in.one(WAITS, "an action");
        boolean parity = in.has("parity");
        Ordering ordering = in.ordering(Sem.ACQUIRE, Scope.CTA);
        StateSpace space = in.space();
        Reg<Pred> d = in.predicate();
        SharedAddress barrier = Addresses.own(in, space);
        Phase phase = parity ? new Phase.Parity(in.word()) : new Phase.State(in.wide());
        return new Mbarrier.Wait(mode, ordering, d, barrier, phase, in.maybeWord());
    }

    static Instruction mapToRank(Line in) {
        if (in.has("u64")) {
            return new Mbarrier.MapToRank(true, in.register(), in.wide(), in.word());
        }
        in.require("shared::cluster", "u32");
        Reg<B32> d = in.register();
        return new Mbarrier.MapToRank(false, d, sharedAddress(in), in.word());
    }

    static Instruction rankOf(Line in) {
        if (in.has("u64")) {
            return new Mbarrier.RankOf(true, in.register(), in.wide());
        }
        in.require("shared::cluster", "u32");
        Reg<B32> d = in.register();
        return new Mbarrier.RankOf(false, d, sharedAddress(in));
    }

    /** An address in a register; that of a variable is one too, but not here. */
    private static Operand<B32> sharedAddress(Line in) {
        in.operand();
        Token token = in.cursor().peek();
        if (in.names().register(token.text()) == null && in.symbol(token) != null) {
            throw in.unsupported("the name of a variable is not supported here: " + token.text());
        }
        return in.bareValue(ScalarType.B32);
    }
}
