package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.number.ElementFormat;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.tensor.DenseProduct;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.MatrixMultiply;
import dev.tilewright.ptx.instruction.WarpMatrix.Role;
import dev.tilewright.ptx.instruction.WarpMatrix.Shape;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Operand;
import java.util.List;

/** mma.sync, and wgmmas of all types. PTX 9.7.14.5, 9.7.15. */
public final class MatrixMultiplyOperations {
    private static final int M = 16;
    private static final int N = 8;

    private MatrixMultiplyOperations() {}

    public static Operation decode(MatrixMultiply instruction, Operands operands) {
        return switch (instruction) {
            case MatrixMultiply.Warpgroup i -> WgmmaOperations.multiply(i, operands);
            case MatrixMultiply.Warp i -> {
                Shape shape = new Shape(M, N, i.k());
                yield UndefinedProduct.of(
                        warp(i, operands),
                        part(Role.A, shape, i.typeA(), i.a(), operands),
                        part(Role.B, shape, i.typeB(), i.b(), operands),
                        part(Role.C, shape, i.typeC(), i.c(), operands),
                        part(Role.D, shape, i.typeD(), i.d(), operands));
            }
        };
    }

    private static UndefinedProduct.Part part(
            Role role, Shape shape, Element type, List<? extends Operand<?>> registers, Operands operands) {
        return UndefinedProduct.Part.of(Fragment.synchronous(role, shape, type, registers.size()), registers, operands);
    }

    private static Operation warp(MatrixMultiply.Warp i, Operands operands) {
        List<SourceOperand> a =
                i.a().stream().<SourceOperand>map(operands::value).toList();
        List<SourceOperand> b =
                i.b().stream().<SourceOperand>map(operands::value).toList();
        List<SourceOperand> c =
                i.c().stream().<SourceOperand>map(operands::value).toList();
        List<DestinationOperand> d =
                i.d().stream().<DestinationOperand>map(operands::target).toList();
        int k = i.k();
        return (strand, mask) -> {
            BarrierOperations.requireWhole(strand, mask, "mma.sync");
            Warp warp = strand.warp();
            DenseProduct product = new DenseProduct(M, N, k);
            for (int lane = 0; lane < Warp.LANES; lane++) {
                loadA(product.a(), i.typeA(), k, a, warp, lane);
                loadB(product.b(), i.typeB(), b, warp, lane);
                loadC(product.tile(), i.typeC(), c, warp, lane);
            }
            product.multiplyAdd(N, k, i.typeD(), i.saturate());
            for (int lane = 0; lane < Warp.LANES; lane++) {
                storeD(product.tile(), i, d, warp, lane);
            }
            strand.device().tally().countMultiplyAdds((long) M * N * k);
            return Outcome.NEXT;
        };
    }

    /**
     * Register r of a lane: row lane/4, or 8 more where r is odd; a word along k from lane%4, 4 words on for r of 2 and
     * 3.
     */
    private static void loadA(double[] to, Element type, int k, List<SourceOperand> registers, Warp warp, int lane) {
        int perWord = 32 / type.bits();
        for (int r = 0; r < registers.size(); r++) {
            int word = registers.get(r).word(warp, lane);
            int at = (lane / 4 + 8 * (r & 1)) * k + perWord * ((lane & 3) + 4 * (r >> 1));
            for (int j = 0; j < perWord; j++) {
                to[at + j] = ElementFormat.decode(type, word >>> j * type.bits());
            }
        }
    }

    /** Register r of a lane: column lane/4; a word along k from lane%4, 4 words on for r = 1. */
    private static void loadB(double[] to, Element type, List<SourceOperand> registers, Warp warp, int lane) {
        int perWord = 32 / type.bits();
        for (int r = 0; r < registers.size(); r++) {
            int word = registers.get(r).word(warp, lane);
            int k = perWord * ((lane & 3) + 4 * r);
            for (int j = 0; j < perWord; j++) {
                to[(k + j) * N + lane / 4] = ElementFormat.decode(type, word >>> j * type.bits());
            }
        }
    }

    /** Element e of a lane: row lane/4, or 8 more from e = 2 on; column 2 * (lane%4), or one more where e is odd. */
    private static int place(int lane, int element) {
        return (lane / 4 + 8 * (element >> 1)) * N + 2 * (lane & 3) + (element & 1);
    }

    private static void loadC(double[] to, Element type, List<SourceOperand> registers, Warp warp, int lane) {
        int perWord = 32 / type.bits();
        for (int e = 0; e < 4; e++) {
            int word = registers.get(e / perWord).word(warp, lane);
            to[place(lane, e)] = ElementFormat.accumulator(type, word >>> 16 * (e % perWord));
        }
    }

    private static void storeD(
            double[] from, MatrixMultiply.Warp i, List<DestinationOperand> registers, Warp warp, int lane) {
        if (i.typeD() != Element.F16) {
            for (int e = 0; e < 4; e++) {
                int bits = ElementFormat.encode(i.typeD(), i.saturate(), from[place(lane, e)]);
                registers.get(e).set(warp, lane, bits);
            }
            return;
        }
        for (int r = 0; r < 2; r++) {
            int low = ElementFormat.encode(Element.F16, false, from[place(lane, 2 * r)]);
            int high = ElementFormat.encode(Element.F16, false, from[place(lane, 2 * r + 1)]);
            registers.get(r).set(warp, lane, high << 16 | low);
        }
    }
}
