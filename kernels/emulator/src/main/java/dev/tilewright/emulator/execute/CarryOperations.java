package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.Lanes.extend;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Arithmetic.Half;
import dev.tilewright.ptx.instruction.CarryArithmetic;
import dev.tilewright.ptx.type.ScalarType;

/** Integers of many words by each thread's carry flag, which a subtraction uses as its borrow. PTX 9.7.2. */
public final class CarryOperations {
    private CarryOperations() {}

    public static Operation decode(CarryArithmetic instruction, Operands operands) {
        return switch (instruction) {
            case CarryArithmetic.Add i -> {
                DestinationOperand d = operands.target(i.d());
                SourceOperand a = operands.value(i.a());
                SourceOperand b = operands.value(i.b());
                Chain chain = new Chain(i.type(), i.carryIn(), i.carryOut());
                yield Lanes.each((warp, lane) -> {
                    long x = a.get(warp, lane);
                    long y = b.get(warp, lane);
                    d.set(warp, lane, i.subtract() ? chain.subtract(warp, lane, x, y) : chain.add(warp, lane, x, y));
                });
            }
            case CarryArithmetic.MultiplyAdd i -> {
                DestinationOperand d = operands.target(i.d());
                SourceOperand a = operands.value(i.a());
                SourceOperand b = operands.value(i.b());
                SourceOperand c = operands.value(i.c());
                Chain chain = new Chain(i.type(), i.carryIn(), i.carryOut());
                yield Lanes.each((warp, lane) -> {
                    long product = product(i.half(), i.type(), a.get(warp, lane), b.get(warp, lane));
                    d.set(warp, lane, chain.add(warp, lane, product, c.get(warp, lane)));
                });
            }
        };
    }

    private static long product(Half half, ScalarType type, long a, long b) {
        return half == Half.HI ? ArithmeticOperations.multiplyHigh(type, a, b) : a * b;
    }

    /** Addition that may take the flag and may set it. */
    private record Chain(ScalarType word, boolean carryIn, boolean carryOut) {
        Chain {
            word = word.unsigned();
        }

        long add(Warp warp, int lane, long a, long b) {
            long x = extend(word, a);
            long y = extend(word, b);
            long in = in(warp, lane);
            long sum = extend(word, x + y + in);
            int order = Long.compareUnsigned(sum, x);
            out(warp, lane, order < 0 || (order == 0 && in == 1));
            return sum;
        }

        long subtract(Warp warp, int lane, long a, long b) {
            long x = extend(word, a);
            long y = extend(word, b);
            long in = in(warp, lane);
            int order = Long.compareUnsigned(x, y);
            out(warp, lane, order < 0 || (order == 0 && in == 1));
            return x - y - in;
        }

        private long in(Warp warp, int lane) {
            return carryIn ? warp.carries >>> lane & 1 : 0;
        }

        private void out(Warp warp, int lane, boolean carry) {
            if (carryOut) {
                warp.carries = warp.carries & ~(1 << lane) | (carry ? 1 << lane : 0);
            }
        }
    }
}
