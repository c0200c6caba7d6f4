package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.machine.Warp;
import dev.tilewright.emulator.program.Decoder;
import dev.tilewright.emulator.program.Operation;
import dev.tilewright.emulator.program.Operation.Outcome;
import dev.tilewright.emulator.program.Target;
import dev.tilewright.emulator.program.Value;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Barrier.ShuffleMode;
import dev.tilewright.ptx.instruction.Barrier.VoteMode;
import dev.tilewright.ptx.type.Reg;
import java.util.Optional;

/** elect, shfl, vote: the lanes of a mask, together. PTX 9.7.9.6, 9.7.13.9, 9.7.13.14. */
final class ExchangeOperations {
    private ExchangeOperations() {}

    /** The mask, all of whose living lanes must be here. */
    static int members(Strand strand, int mask, Value operand, String what) {
        Warp warp = strand.warp();
        int members = operand.word(warp, Integer.numberOfTrailingZeros(mask));
        int missing = members & warp.alive() & ~mask;
        if (missing != 0 || (mask & ~members) != 0) {
            throw new HazardFound(new Hazard.Divergent(what + " of lanes 0x" + Integer.toHexString(members)
                    + " executed by lanes 0x" + Integer.toHexString(mask)));
        }
        return members & mask;
    }

    static Operation elect(Barrier.Elect i, Decoder decoder) {
        Value operand = decoder.value(i.mask());
        int d = decoder.predicate(i.d());
        Optional<Target> leader = i.lane().map((Reg<?> r) -> decoder.target(r));
        return (strand, mask) -> {
            int members = members(strand, mask, operand, "elect.sync");
            int lane = Integer.numberOfTrailingZeros(members);
            Lanes.setPredicate(strand.warp(), d, mask, 1 << lane);
            leader.ifPresent(target -> {
                for (int rest = mask; rest != 0; rest &= rest - 1) {
                    target.set(strand.warp(), Integer.numberOfTrailingZeros(rest), lane);
                }
            });
            return Outcome.NEXT;
        };
    }

    static Operation shuffle(Barrier.Shuffle i, Decoder decoder) {
        Value operand = decoder.value(i.mask());
        Value a = decoder.value(i.a());
        Value b = decoder.value(i.b());
        Value c = decoder.value(i.c());
        Target d = decoder.target(i.d());
        int valid = i.valid().map((Reg<?> p) -> decoder.predicate(p)).orElse(-1);
        ShuffleMode mode = i.mode();
        return (strand, mask) -> {
            members(strand, mask, operand, "shfl.sync");
            Warp warp = strand.warp();
            long[] values = new long[Warp.LANES];
            int inRange = 0;
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                int source = source(mode, lane, b.word(warp, lane) & 31, c.word(warp, lane));
                if (source >= 0) {
                    inRange |= 1 << lane;
                }
                int from = source >= 0 ? source : lane;
                if ((mask >>> from & 1) == 0) {
                    throw new HazardFound(new Hazard.UninitialisedRead(
                            "shfl.sync of lane " + from + ", which does not take part, by lane " + lane));
                }
                values[lane] = a.get(warp, from);
            }
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                d.set(warp, lane, values[lane]);
            }
            if (valid >= 0) {
                Lanes.setPredicate(warp, valid, mask, inRange);
            }
            return Outcome.NEXT;
        };
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
    static Operation vote(VoteMode mode, int d, int p, boolean not, Value operand) {
        return (strand, mask) -> {
            int members = members(strand, mask, operand, "vote.sync");
            int yes = (not ? ~strand.warp().predicates[p] : strand.warp().predicates[p]) & members;
            boolean result = switch (mode) {
                case ALL -> yes == members;
                case ANY -> yes != 0;
                case UNI -> yes == 0 || yes == members;
            };
            Lanes.setPredicate(strand.warp(), d, mask, result ? -1 : 0);
            return Outcome.NEXT;
        };
    }

    /** {@code not}: the predicate is read negated. */
    static Operation ballot(Target d, int p, boolean not, Value operand) {
        return (strand, mask) -> {
            int members = members(strand, mask, operand, "vote.sync.ballot");
            int yes = (not ? ~strand.warp().predicates[p] : strand.warp().predicates[p]) & members;
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                d.set(strand.warp(), Integer.numberOfTrailingZeros(rest), yes);
            }
            return Outcome.NEXT;
        };
    }
}
