package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Barrier.ShuffleMode;
import dev.tilewright.ptx.instruction.Barrier.VoteMode;
import dev.tilewright.ptx.type.Reg;
import java.util.Optional;

/** elect, shfl, vote: the lanes of a mask, together. PTX 9.7.9.6, 9.7.13.9, 9.7.13.14. */
final class ExchangeOperations {
    /** A NaN in every format, zero, and the least and the greatest f32, since a maximum drops a NaN. */
    private static final int[] UNDEFINED = {0x7FFF7FFF, 0xFF7FFFFF, 0x7F7FFFFF, 0};

    private ExchangeOperations() {}

    /** The operation of lanes that name each other in their masks. */
    @FunctionalInterface
    interface Exchange {
        void among(Strand strand, int group);
    }

    /** Lanes whose masks are the same exchange among themselves; all that live of those they name must be here. */
    static Operation exchange(SourceOperand members, String what, Exchange exchange) {
        return (strand, mask) -> {
            Warp warp = strand.warp();
            for (int rest = mask; rest != 0; ) {
                int named = members.word(warp, Integer.numberOfTrailingZeros(rest));
                int group = naming(warp, rest, members, named);
                if (group != (named & warp.alive())) {
                    throw new HazardFound(new Hazard.Divergent(what + " of lanes 0x" + Integer.toHexString(named)
                            + " executed by lanes 0x" + Integer.toHexString(group)));
                }
                exchange.among(strand, group);
                rest &= ~group;
            }
            return Outcome.NEXT;
        };
    }

    /** The lanes that have this mask. */
    static int naming(Warp warp, int lanes, SourceOperand members, int named) {
        return Lanes.yes(warp, lanes, (w, lane) -> members.word(w, lane) == named);
    }

    static Operation elect(Barrier.Elect i, Operands operands) {
        SourceOperand operand = operands.value(i.mask());
        int d = operands.predicate(i.d());
        Optional<DestinationOperand> leader = i.lane().map((Reg<?> r) -> operands.target(r));
        return exchange(operand, "elect.sync", (strand, group) -> {
            Warp warp = strand.warp();
            int lane = Integer.numberOfTrailingZeros(group);
            Lanes.setPredicate(warp, d, group, 1 << lane);
            leader.ifPresent(target -> setAll(warp, group, target, lane));
        });
    }

    /** Gives lanes one value. */
    static void setAll(Warp warp, int lanes, DestinationOperand d, long value) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            d.set(warp, Integer.numberOfTrailingZeros(rest), value);
        }
    }

    /** A shuffle. A value from a lane that takes no part is undefined; it is a fault only once it is used. */
    static Operation shuffle(Barrier.Shuffle i, Operands operands) {
        SourceOperand operand = operands.value(i.mask());
        SourceOperand a = operands.value(i.a());
        SourceOperand b = operands.value(i.b());
        SourceOperand c = operands.value(i.c());
        DestinationOperand d = operands.target(i.d());
        int valid = i.valid().map((Reg<?> p) -> operands.predicate(p)).orElse(-1);
        ShuffleMode mode = i.mode();
        return exchange(operand, "shfl.sync", (strand, group) -> {
            Warp warp = strand.warp();
            long[] values = new long[Warp.LANES];
            int inRange = 0;
            for (int rest = group; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                int source = source(mode, lane, b.word(warp, lane) & 31, c.word(warp, lane));
                if (source >= 0) {
                    inRange |= 1 << lane;
                }
                int from = source >= 0 ? source : lane;
                values[lane] = (group >>> from & 1) == 0 ? undefined(strand, lane) : a.get(warp, from);
            }
            for (int rest = group; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                d.set(warp, lane, values[lane]);
            }
            if (valid >= 0) {
                Lanes.setPredicate(warp, valid, group, inRange);
            }
        });
    }

    /** Bits for a lane that nothing defines, others in other runs: whatever comes of them differs too. */
    private static int undefined(Strand strand, int lane) {
        return UNDEFINED[Math.floorMod(strand.device().options().seed() + lane, UNDEFINED.length)];
    }

    /** The lane a value comes from, or -1 if that is out of range. */
    static int source(ShuffleMode mode, int lane, int b, int c) {
        int clamp = c & 31;
        int segment = c >>> 8 & 31;
        int highest = lane & segment | clamp & ~segment;
        int lowest = lane & segment;
        int source = switch (mode) {
            case UP -> lane - b;
            case DOWN -> lane + b;
            case BFLY -> lane ^ b;
            case IDX -> lowest | b & ~segment;
        };
        boolean within = mode == ShuffleMode.UP ? source >= highest : source <= highest;
        return within ? source & 31 : -1;
    }

    /** {@code not}: the predicate is read negated. */
    static Operation vote(VoteMode mode, int d, int p, boolean not, SourceOperand operand) {
        return exchange(operand, "vote.sync", (strand, group) -> {
            Warp warp = strand.warp();
            int yes = (not ? ~warp.predicates[p] : warp.predicates[p]) & group;
            boolean result = switch (mode) {
                case ALL -> yes == group;
                case ANY -> yes != 0;
                case UNI -> yes == 0 || yes == group;
            };
            Lanes.setPredicate(warp, d, group, result ? -1 : 0);
        });
    }

    /** {@code not}: the predicate is read negated. */
    static Operation ballot(DestinationOperand d, int p, boolean not, SourceOperand operand) {
        return exchange(operand, "vote.sync.ballot", (strand, group) -> {
            Warp warp = strand.warp();
            setAll(warp, group, d, (not ? ~warp.predicates[p] : warp.predicates[p]) & group);
        });
    }
}
