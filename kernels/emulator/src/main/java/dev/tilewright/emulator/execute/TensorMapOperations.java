package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.tensor.MapImage;
import dev.tilewright.ptx.instruction.TensorMapUpdate;

/** Tensor maps that a kernel changes. PTX 9.7.9.28, 9.7.13.4, 9.7.13.16. */
public final class TensorMapOperations {
    private static final int WORD = 8;

    private TensorMapOperations() {}

    public static Operation decode(TensorMapUpdate instruction, Operands operands) {
        return switch (instruction) {
            case TensorMapUpdate.Replace i -> replace(i, operands);
            case TensorMapUpdate.CopyRelease i -> copyRelease(i, operands);
            case TensorMapUpdate.Release i ->
                (strand, mask) -> {
                    strand.memory().tensorMaps().fences().releaseAll(strand, mask, i.scope());
                    return Outcome.NEXT;
                };
            case TensorMapUpdate.Acquire i -> acquire(i, operands);
        };
    }

    private static Operation acquire(TensorMapUpdate.Acquire i, Operands operands) {
        MemoryOperand map = MemoryOperand.of(i.map(), operands);
        return (strand, mask) -> {
            for (int rest = mask; rest != 0; ) {
                int first = Integer.numberOfTrailingZeros(rest);
                long address = map.address(strand.warp(), first);
                int alike = 0;
                for (int others = rest; others != 0; others &= others - 1) {
                    int lane = Integer.numberOfTrailingZeros(others);
                    if (map.address(strand.warp(), lane) == address) {
                        alike |= 1 << lane;
                    }
                }
                strand.at(first);
                strand.memory().tensorMaps().acquire(strand, alike, i.scope(), address);
                rest &= ~alike;
            }
            return Outcome.NEXT;
        };
    }

    /** An access to the whole map, by its one field: the layout is not the kernel's business. */
    private static Operation replace(TensorMapUpdate.Replace i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.map(), operands);
        SourceOperand value = operands.value(i.value());
        int dimension = i.dimension().orElse(0);
        return Lanes.access((strand, lane) -> {
            long address = operand.address(strand.warp(), lane);
            byte[] image = read(strand, operand, address);
            try {
                MapImage.replace(image, i.field(), dimension, value.get(strand.warp(), lane));
            } catch (IllegalArgumentException refused) {
                throw new HazardFound(new Hazard.BadOperand(String.valueOf(refused.getMessage())));
            }
            write(strand, operand, address, image);
        });
    }

    private static byte[] read(Strand strand, MemoryOperand operand, long address) {
        MemoryOperand.requireAligned("a tensor map", address, MapImage.ALIGNMENT);
        byte[] image = new byte[MapImage.BYTES];
        for (int at = 0; at < MapImage.BYTES; at += WORD) {
            Bytes.put(image, at, WORD, operand.read(strand, address + at, WORD));
        }
        return image;
    }

    private static void write(Strand strand, MemoryOperand operand, long address, byte[] image) {
        MemoryOperand.requireAligned("a tensor map", address, MapImage.ALIGNMENT);
        for (int at = 0; at < MapImage.BYTES; at += WORD) {
            operand.write(strand, address + at, WORD, Bytes.get(image, at, WORD));
        }
    }

    /** The warp copies one map together, here through its first lane. */
    private static Operation copyRelease(TensorMapUpdate.CopyRelease i, Operands operands) {
        MemoryOperand destination = MemoryOperand.of(i.destination(), operands);
        MemoryOperand source = MemoryOperand.of(i.source(), operands);
        return (strand, mask) -> {
            BarrierOperations.requireWhole(strand, mask, "tensormap.cp_fenceproxy");
            strand.at(0);
            long to = destination.address(strand.warp(), 0);
            byte[] image = read(strand, source, source.address(strand.warp(), 0));
            write(strand, destination, to, image);
            strand.memory().tensorMaps().fences().release(strand, i.scope(), to);
            strand.warp().order().meet(mask);
            return Outcome.NEXT;
        };
    }
}
