package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Mbarrier.Phase;
import dev.tilewright.ptx.instruction.Mbarrier.WaitMode;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Address;
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
import java.util.Optional;

/** {@link Mbarrier}. */
final class MbarrierParser {
    private static final Map<String, WaitMode> WAITS = Spellings.of(WaitMode.values(), WaitMode::ptx);

    private MbarrierParser() {}

    static Instruction mbarrier(Line in) {
        in.require("b64");
        if (in.has("init")) {
            return new Mbarrier.Init(own(in), in.word());
        }
        if (in.has("inval")) {
            return new Mbarrier.Invalidate(own(in));
        }
        if (in.sees("arrive") || in.sees("arrive_drop")) {
            return arrive(in);
        }
        if (in.has("expect_tx")) {
            Ordering ordering = relaxed(in);
            StateSpace space = in.space();
            return new Mbarrier.ExpectTx(ordering, Addresses.barrier(in, space), in.word());
        }
        if (in.has("complete_tx")) {
            Ordering ordering = relaxed(in);
            StateSpace space = in.space();
            return new Mbarrier.CompleteTx(ordering, Addresses.barrier(in, space), in.word());
        }
        return await(in);
    }

    private static Instruction arrive(Line in) {
        in.has("arrive");
        boolean drop = in.has("arrive_drop");
        boolean noComplete = in.has("noComplete");
        boolean expect = in.has("expect_tx");
        Ordering ordering = in.ordering(Sem.RELEASE, Scope.CTA);
        StateSpace space = in.space();
        in.operand();
        Optional<Reg<?>> state = Optional.empty();
        if (in.cursor().peek().is(Kind.WORD, "_")) {
            in.cursor().next();
        } else {
            state = Optional.of(in.bareRegister());
        }
        Address barrier = Addresses.barrier(in, space);
        if (expect && noComplete) {
            throw in.refuse(".expect_tx and .noComplete do not go together");
        }
        return expect
                ? new Mbarrier.ArriveExpectTx(ordering, drop, state, barrier, in.word())
                : new Mbarrier.Arrive(ordering, drop, noComplete, state, barrier, in.maybeWord());
    }

    private static Instruction await(Line in) {
        WaitMode mode = in.one(WAITS, "an action");
        boolean parity = in.has("parity");
        Ordering ordering = in.ordering(Sem.ACQUIRE, Scope.CTA);
        StateSpace space = ownSpace(in);
        Reg<Pred> d = in.predicate();
        SharedAddress barrier = own(in, space);
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

    private static Ordering relaxed(Line in) {
        Ordering ordering = in.ordering(Sem.RELAXED, Scope.CTA);
        return ordering.equals(Ordering.DEFAULT) ? Ordering.relaxed(Scope.CTA) : ordering;
    }

    private static StateSpace ownSpace(Line in) {
        StateSpace space = in.space();
        if (space != StateSpace.SHARED && space != StateSpace.GENERIC) {
            throw in.refuse("the barrier must be in .shared::cta");
        }
        return space;
    }

    private static SharedAddress own(Line in) {
        return own(in, ownSpace(in));
    }

    private static SharedAddress own(Line in, StateSpace space) {
        return (SharedAddress) Addresses.barrier(in, space);
    }
}
