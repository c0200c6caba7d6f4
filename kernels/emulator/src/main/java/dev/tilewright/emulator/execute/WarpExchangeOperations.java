package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.Lanes.extend;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Compare.BooleanOperation;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.type.ScalarType;

/** match, redux, activemask, votes of what is not, barrier.red, and fences. PTX 9.7.13. */
public final class WarpExchangeOperations {
    private WarpExchangeOperations() {}

    public static Operation decode(WarpExchange instruction, Operands operands) {
        return switch (instruction) {
            case WarpExchange.MatchAny i -> matchAny(i, operands);
            case WarpExchange.MatchAll i -> matchAll(i, operands);
            case WarpExchange.Reduce i -> reduce(i, operands);
            case WarpExchange.ActiveMask i -> {
                DestinationOperand d = operands.target(i.d());
                yield (strand, mask) -> {
                    ExchangeOperations.setAll(strand.warp(), mask, d, mask);
                    return Outcome.NEXT;
                };
            }
            case WarpExchange.BarrierCount i -> {
                DestinationOperand d = operands.target(i.d());
                yield BarrierOperations.vote(
                        i.aligned(),
                        operands.value(i.id()),
                        i.threads().map(t -> operands.value(t)),
                        operands.predicate(i.p()),
                        i.negated(),
                        (strand, mask, yes, all) -> ExchangeOperations.setAll(strand.warp(), mask, d, yes));
            }
            case WarpExchange.BarrierVote i -> {
                int d = operands.predicate(i.d());
                boolean every = i.operation() == BooleanOperation.AND;
                yield BarrierOperations.vote(
                        i.aligned(),
                        operands.value(i.id()),
                        i.threads().map(t -> operands.value(t)),
                        operands.predicate(i.p()),
                        i.negated(),
                        (strand, mask, yes, all) ->
                                Lanes.setPredicate(strand.warp(), d, mask, (every ? yes == all : yes > 0) ? -1 : 0));
            }
            // Every address is one alias here.
            case WarpExchange.AliasFence _ -> (strand, mask) -> Outcome.NEXT;
        };
    }

    private static Operation matchAny(WarpExchange.MatchAny i, Operands operands) {
        DestinationOperand d = operands.target(i.d());
        SourceOperand a = operands.value(i.a());
        SourceOperand operand = operands.value(i.mask());
        return ExchangeOperations.exchange(operand, "match.any.sync", (strand, group) -> {
            Warp warp = strand.warp();
            int[] same = new int[Warp.LANES];
            for (int rest = group; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                long mine = a.get(warp, lane);
                same[lane] = Lanes.yes(warp, group, (w, other) -> a.get(w, other) == mine);
            }
            for (int rest = group; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                d.set(warp, lane, same[lane]);
            }
        });
    }

    private static Operation matchAll(WarpExchange.MatchAll i, Operands operands) {
        DestinationOperand d = operands.target(i.d());
        SourceOperand a = operands.value(i.a());
        SourceOperand operand = operands.value(i.mask());
        int all = i.all().map(p -> operands.predicate(p)).orElse(-1);
        return ExchangeOperations.exchange(operand, "match.all.sync", (strand, group) -> {
            Warp warp = strand.warp();
            long first = a.get(warp, Integer.numberOfTrailingZeros(group));
            boolean same = Lanes.yes(warp, group, (w, lane) -> a.get(w, lane) == first) == group;
            ExchangeOperations.setAll(warp, group, d, same ? group : 0);
            if (all >= 0) {
                Lanes.setPredicate(warp, all, group, same ? -1 : 0);
            }
        });
    }

    private static Operation reduce(WarpExchange.Reduce i, Operands operands) {
        DestinationOperand d = operands.target(i.d());
        SourceOperand a = operands.value(i.a());
        SourceOperand operand = operands.value(i.mask());
        ScalarType type = i.type();
        return ExchangeOperations.exchange(operand, "redux.sync", (strand, group) -> {
            Warp warp = strand.warp();
            long result = extend(type, a.get(warp, Integer.numberOfTrailingZeros(group)));
            for (int rest = group & group - 1; rest != 0; rest &= rest - 1) {
                long value = extend(type, a.get(warp, Integer.numberOfTrailingZeros(rest)));
                result = switch (i.operation()) {
                    case ADD -> result + value;
                    case MIN -> Math.min(result, value);
                    case MAX -> Math.max(result, value);
                    case AND -> result & value;
                    case OR -> result | value;
                    case XOR -> result ^ value;
                };
            }
            ExchangeOperations.setAll(warp, group, d, result);
        });
    }
}
