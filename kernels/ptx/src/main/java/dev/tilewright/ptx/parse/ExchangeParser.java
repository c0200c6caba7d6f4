package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Compare.BooleanOperation;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.instruction.WarpExchange.ReduceOperation;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Map;
import java.util.Optional;

/** {@link WarpExchange}. */
final class ExchangeParser {
    private static final Map<String, ReduceOperation> REDUCTIONS =
            Spellings.of(ReduceOperation.values(), ReduceOperation::ptx);
    private static final Map<String, BooleanOperation> VOTES =
            Map.of("and", BooleanOperation.AND, "or", BooleanOperation.OR);

    private ExchangeParser() {}

    static Instruction match(Line in) {
        in.require("sync");
        in.require("all");
        ScalarType type = in.type();
        Reg<RegisterType> d = in.register();
        Optional<Reg<Pred>> all = in.acceptMark("|") ? Optional.of(in.bareRegister()) : Optional.empty();
        return new WarpExchange.MatchAll(type, d, all, in.value(type), in.word());
    }

    static Instruction reduce(Line in) {
        in.require("sync");
        ReduceOperation operation = in.one(REDUCTIONS, "an operation");
        ScalarType type = in.type();
        if (type == ScalarType.F32) {
            throw in.unsupported("reductions of .f32 are not supported");
        }
        return new WarpExchange.Reduce(operation, type, in.register(), in.value(type), in.word());
    }

    /** barrier.red; its name up to there and the alignment are taken. */
    static Instruction barrier(Line in, boolean aligned) {
        boolean counts = in.has("popc");
        Optional<BooleanOperation> vote = in.maybe(VOTES);
        in.require(counts ? "u32" : "pred");
        Reg<RegisterType> d = in.register();
        Operand<B32> id = in.word();
        Optional<Operand<B32>> threads = Optional.empty();
        in.operand();
        Reg<?> register = in.names().register(in.cursor().peek().text());
        boolean predicate = in.cursor().peek().isMark("!") || (register != null && register.type() == ScalarType.PRED);
        if (!predicate) {
            threads = Optional.of(in.bareValue(ScalarType.B32));
            in.operand();
        }
        boolean negated = in.acceptMark("!");
        Reg<Pred> p = in.bareRegister();
        if (counts) {
            return new WarpExchange.BarrierCount(aligned, d, id, threads, p, negated);
        }
        BooleanOperation operation = vote.orElseThrow(() -> in.refuse("needs .popc, .and or .or"));
        return new WarpExchange.BarrierVote(operation, aligned, Line.cast(d), id, threads, p, negated);
    }
}
