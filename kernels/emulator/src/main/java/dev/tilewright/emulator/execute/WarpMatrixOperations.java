package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.tensor.DenseProduct;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.WarpMatrix.Role;
import dev.tilewright.ptx.instruction.WarpMatrix.Shape;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** mma.sync, wmma and movmatrix. PTX 9.7.14.4, 9.7.14.5. */
public final class WarpMatrixOperations {
    private WarpMatrixOperations() {}

    public static Operation decode(WarpMatrix instruction, Operands operands) {
        return switch (instruction) {
            case WarpMatrix.Load i -> load(i, operands);
            case WarpMatrix.Store i -> store(i, operands);
            case WarpMatrix.MultiplyFragments i ->
                multiply(
                        i.shape(),
                        i.saturate(),
                        new Held(Fragment.opaque(Role.A, i.shape(), i.typeA(), i.a().size()), i.a()),
                        new Held(Fragment.opaque(Role.B, i.shape(), i.typeB(), i.b().size()), i.b()),
                        new Held(Fragment.opaque(Role.C, i.shape(), i.typeC(), i.c().size()), i.c()),
                        Fragment.opaque(Role.D, i.shape(), i.typeD(), i.d().size()),
                        i.d(),
                        operands);
            case WarpMatrix.Multiply i -> {
                if (i.typeA() == Element.F16 && i.shape().m() == 8) {
                    throw new NotEmulatedException("mma.m8n8k4 of f16, which Volta had");
                }
                yield multiply(
                        i.shape(),
                        i.saturate(),
                        new Held(Fragment.synchronous(Role.A, i.shape(), i.typeA(), i.a().size()), i.a()),
                        new Held(Fragment.synchronous(Role.B, i.shape(), i.typeB(), i.b().size()), i.b()),
                        new Held(Fragment.synchronous(Role.C, i.shape(), i.typeC(), i.c().size()), i.c()),
                        Fragment.synchronous(Role.D, i.shape(), i.typeD(), i.d().size()),
                        i.d(),
                        operands);
            }
            case WarpMatrix.Transpose i -> transpose(i, operands);
        };
    }

    private static List<SourceOperand> values(List<? extends Operand<?>> list, Operands operands) {
        return list.stream().<SourceOperand>map(operands::value).toList();
    }

    private static List<DestinationOperand> targets(List<Reg<?>> registers, Operands operands) {
        return registers.stream().<DestinationOperand>map(operands::target).toList();
    }

    // ---- wmma.load, wmma.store ----------------------------------------------------------------------------------

    /** A matrix in memory. */
    private record InMemory(MemoryOperand operand, Optional<SourceOperand> stride, boolean columns, Fragment fragment) {
        static InMemory of(
                Address address, Optional<Operand<B32>> stride, boolean columns, Fragment fragment, Operands operands) {
            return new InMemory(
                    MemoryOperand.of(address, operands),
                    stride.map((Operand<B32> s) -> operands.value(s)),
                    columns,
                    fragment);
        }

        /** Address of an element for a lane. */
        long address(Warp warp, int lane, int index) {
            int row = index / fragment.width();
            int column = index % fragment.width();
            int dense = columns ? fragment.height() : fragment.width();
            long leading = stride.isPresent() ? stride.get().word(warp, lane) : dense;
            long element = columns ? column * leading + row : row * leading + column;
            return operand.address(warp, lane) + element * fragment.type().bits() / 8;
        }
    }

    private static Operation load(WarpMatrix.Load i, Operands operands) {
        Fragment fragment = Fragment.opaque(i.role(), i.shape(), i.type(), i.d().size());
        InMemory matrix = InMemory.of(i.address(), i.stride(), i.columns(), fragment, operands);
        List<DestinationOperand> d = targets(i.d(), operands);
        int bytes = i.type().bits() / 8;
        Operation each = Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            long[] registers = new long[d.size()];
            for (int slot = 0; slot < fragment.slots(); slot++) {
                long address = matrix.address(warp, lane, fragment.index(lane, slot));
                matrix.operand.requireAligned(strand, "wmma.load", address, bytes);
                fragment.put(registers, slot, matrix.operand.read(strand, address, bytes));
            }
            for (int r = 0; r < registers.length; r++) {
                d.get(r).set(warp, lane, registers[r]);
            }
        });
        return (strand, mask) -> {
            BarrierOperations.requireWhole(strand, mask, "wmma.load");
            return each.execute(strand, mask);
        };
    }

    private static Operation store(WarpMatrix.Store i, Operands operands) {
        Fragment fragment =
                Fragment.opaque(Role.D, i.shape(), i.type(), i.values().size());
        InMemory matrix = InMemory.of(i.address(), i.stride(), i.columns(), fragment, operands);
        List<SourceOperand> values = values(i.values(), operands);
        int bytes = i.type().bits() / 8;
        Operation each = Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            for (int slot = 0; slot < fragment.slots(); slot++) {
                long address = matrix.address(warp, lane, fragment.index(lane, slot));
                matrix.operand.requireAligned(strand, "wmma.store", address, bytes);
                matrix.operand.write(strand, address, bytes, fragment.get(values, warp, lane, slot));
            }
        });
        return (strand, mask) -> {
            BarrierOperations.requireWhole(strand, mask, "wmma.store");
            return each.execute(strand, mask);
        };
    }

    // ---- products -----------------------------------------------------------------------------------------------

    /** A matrix that is read, and the operands that hold it. */
    private record Held(Fragment fragment, List<? extends Operand<?>> registers) {
        UndefinedProduct.Part part(Operands operands) {
            return UndefinedProduct.Part.of(fragment, registers, operands);
        }
    }

    private static Operation multiply(
            Shape shape, boolean saturate, Held a, Held b, Held c, Fragment d, List<Reg<?>> into, Operands operands) {
        List<SourceOperand> fromA = values(a.registers, operands);
        List<SourceOperand> fromB = values(b.registers, operands);
        List<SourceOperand> fromC = values(c.registers, operands);
        List<DestinationOperand> to = targets(into, operands);
        Operation multiply = (strand, mask) -> {
            BarrierOperations.requireWhole(strand, mask, "a matrix multiply");
            Warp warp = strand.warp();
            DenseProduct product = new DenseProduct(shape.m(), shape.n(), shape.k());
            for (int lane = 0; lane < Warp.LANES; lane++) {
                a.fragment.gather(fromA, warp, lane, product.a());
                b.fragment.gather(fromB, warp, lane, product.b());
                c.fragment.gather(fromC, warp, lane, product.tile());
            }
            product.multiplyAdd(shape.n(), shape.k(), d.type(), saturate);
            for (int lane = 0; lane < Warp.LANES; lane++) {
                d.scatter(product.tile(), saturate, warp, lane, to);
            }
            strand.device().tally().countMultiplyAdds((long) shape.m() * shape.n() * shape.k());
            return Outcome.NEXT;
        };
        return UndefinedProduct.of(
                multiply, a.part(operands), b.part(operands), c.part(operands), new Held(d, into).part(operands));
    }

    /** Register of lane 4 * row + pair: columns 2 * pair and one more. */
    private static Operation transpose(WarpMatrix.Transpose i, Operands operands) {
        SourceOperand a = operands.value(i.a());
        DestinationOperand d = operands.target(i.d());
        return (strand, mask) -> {
            BarrierOperations.requireWhole(strand, mask, "movmatrix");
            Warp warp = strand.warp();
            long[] transposed = new long[Warp.LANES];
            Arrays.setAll(transposed, lane -> {
                int row = lane / 4;
                int column = 2 * (lane & 3);
                return half(a, warp, column, row) | half(a, warp, column + 1, row) << 16;
            });
            for (int lane = 0; lane < Warp.LANES; lane++) {
                d.set(warp, lane, transposed[lane]);
            }
            return Outcome.NEXT;
        };
    }

    private static long half(SourceOperand a, Warp warp, int row, int column) {
        return a.get(warp, 4 * row + column / 2) >>> 16 * (column & 1) & 0xFFFF;
    }
}
