package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** mov in its meanings. PTX 9.7.9.3, 9.7.9.4. */
public final class MoveOperations {
    private MoveOperations() {}

    public static Operation decode(Move instruction, Operands operands) {
        return switch (instruction) {
            case Move.Copy i -> copy(i, operands);
            case Move.ReadSpecial i -> SpecialRegisters.read(i.special(), operands.target(i.d()));
            case Move.AddressOf i ->
                AddressOperations.address(i.symbol(), i.space(), i.offset(), false, i.d(), operands);
            case Move.ConstantPredicate i -> {
                int d = operands.predicate(i.d());
                int bits = i.value() ? -1 : 0;
                yield (strand, mask) -> {
                    Lanes.setPredicate(strand.warp(), d, mask, bits);
                    return Outcome.NEXT;
                };
            }
            case Move.Pack i -> pack(i, operands);
            case Move.Unpack i -> unpack(i, operands);
        };
    }

    private static Operation copy(Move.Copy i, Operands operands) {
        if (i.type() == ScalarType.PRED) {
            int d = operands.predicate(i.d());
            if (i.a() instanceof Reg<?> source) {
                int a = operands.predicate(source);
                return (strand, mask) -> {
                    Lanes.setPredicate(strand.warp(), d, mask, strand.warp().predicates[a]);
                    return Outcome.NEXT;
                };
            }
            throw new IllegalArgumentException("mov.pred of a constant");
        }
        DestinationOperand d = operands.target(i.d());
        SourceOperand a = operands.value(i.a());
        if (i.type() == ScalarType.B128) {
            return Lanes.each((warp, lane) -> {
                d.set(warp, lane, a.get(warp, lane));
                d.setHigh(warp, lane, a.high(warp, lane));
            });
        }
        return Lanes.unary(d, a, value -> value);
    }

    private static Operation pack(Move.Pack i, Operands operands) {
        DestinationOperand d = operands.target(i.d());
        List<SourceOperand> parts =
                i.parts().stream().<SourceOperand>map(operands::value).toList();
        int bits = i.type().bits() / parts.size();
        boolean twice = i.type() == ScalarType.B128;
        int lower = twice ? 64 / bits : parts.size();
        return Lanes.each((warp, lane) -> {
            d.set(warp, lane, join(parts.subList(0, lower), bits, warp, lane));
            if (twice) {
                d.setHigh(warp, lane, join(parts.subList(lower, parts.size()), bits, warp, lane));
            }
        });
    }

    private static long join(List<SourceOperand> parts, int bits, Warp warp, int lane) {
        long mask = bits == 64 ? -1 : (1L << bits) - 1;
        long value = 0;
        for (int i = 0; i < parts.size(); i++) {
            value |= (parts.get(i).get(warp, lane) & mask) << bits * i;
        }
        return value;
    }

    private static Operation unpack(Move.Unpack i, Operands operands) {
        SourceOperand a = operands.value(i.a());
        int bits = i.type().bits() / i.parts().size();
        List<Optional<DestinationOperand>> parts = new ArrayList<>();
        i.parts().forEach(part -> parts.add(part.map(operands::target)));
        int lower = i.type() == ScalarType.B128 ? 64 / bits : parts.size();
        return Lanes.each((warp, lane) -> {
            long low = a.get(warp, lane);
            long high = lower < parts.size() ? a.high(warp, lane) : 0;
            for (int part = 0; part < parts.size(); part++) {
                long value = part < lower ? low >>> bits * part : high >>> bits * (part - lower);
                parts.get(part).ifPresent(target -> target.set(warp, lane, value));
            }
        });
    }
}
