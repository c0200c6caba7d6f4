package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.tcgen05.Allocator;
import dev.tilewright.emulator.tcgen05.DisabledLanes;
import dev.tilewright.emulator.tcgen05.Issue;
import dev.tilewright.emulator.tcgen05.LaneShape;
import dev.tilewright.emulator.tcgen05.Moves;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Tcgen05.Fence.Side;
import dev.tilewright.ptx.instruction.Tcgen05.MatrixA;
import dev.tilewright.ptx.type.TensorAddress;
import java.util.List;
import java.util.OptionalInt;

/** Tensor memory and the matrix multiply of Blackwell. PTX 9.7.16. */
public final class Tcgen05Operations {
    private static final int ALL = -1;

    private Tcgen05Operations() {}

    public static Operation decode(Tcgen05 instruction, Operands operands) {
        return switch (instruction) {
            case Tcgen05.Allocate i -> allocate(i, operands);
            case Tcgen05.Deallocate i -> {
                SourceOperand address = operands.value(i.address());
                SourceOperand columns = operands.value(i.columns());
                yield (strand, mask) -> {
                    requireWhole(strand, mask, "tcgen05.dealloc");
                    boolean sleeps = Allocator.deallocate(
                            strand,
                            i.group(),
                            uniform(address, strand, "the address of tcgen05.dealloc"),
                            uniform(columns, strand, "the columns of tcgen05.dealloc"));
                    return sleeps ? Outcome.SLEEP : Outcome.NEXT;
                };
            }
            case Tcgen05.RelinquishPermit i ->
                (strand, mask) -> {
                    requireWhole(strand, mask, "tcgen05.relinquish_alloc_permit");
                    strand.cta().tensorUnit().relinquish(i.group());
                    return Outcome.NEXT;
                };
            case Tcgen05.Multiply i -> multiply(i, operands);
            case Tcgen05.Commit i -> CommitOperations.decode(i, operands);
            case Tcgen05.Load i -> {
                int[] d = operands.words(i.d());
                LaneShape shape = new LaneShape(i.shape(), d.length, i.split(), i.pack());
                TensorOperand operand = new TensorOperand(i.address(), operands);
                yield (strand, mask) -> {
                    requireWhole(strand, mask, "tcgen05.ld");
                    Moves.load(strand, shape, d, operand.uniform(strand, "tcgen05.ld"));
                    return Outcome.NEXT;
                };
            }
            case Tcgen05.Store i -> {
                List<SourceOperand> values =
                        i.values().stream().<SourceOperand>map(operands::value).toList();
                LaneShape shape = new LaneShape(i.shape(), values.size(), i.split(), i.unpack());
                TensorOperand operand = new TensorOperand(i.address(), operands);
                yield (strand, mask) -> {
                    requireWhole(strand, mask, "tcgen05.st");
                    Moves.store(
                            strand,
                            shape,
                            operand.uniform(strand, "tcgen05.st"),
                            (register, lane) -> values.get(register).word(strand.warp(), lane));
                    return Outcome.NEXT;
                };
            }
            case Tcgen05.WaitLoad _ ->
                (strand, mask) -> {
                    requireWhole(strand, mask, "tcgen05.wait::ld");
                    strand.warp().order().tensor().waitLoads();
                    strand.warp().tensorRegisters().waited();
                    return Outcome.NEXT;
                };
            case Tcgen05.WaitStore _ ->
                (strand, mask) -> {
                    requireWhole(strand, mask, "tcgen05.wait::st");
                    strand.warp().order().tensor().waitStores();
                    return Outcome.NEXT;
                };
            case Tcgen05.Copy i -> {
                if (!Issue.knows(i.shape())) {
                    throw new NotEmulatedException("tcgen05.cp." + i.shape().ptx());
                }
                TensorOperand operand = new TensorOperand(i.destination(), operands);
                SourceOperand source = operands.value(i.source());
                yield Lanes.access((strand, lane) -> Issue.copy(
                        strand,
                        i.group(),
                        i.shape(),
                        operand.address(strand.warp(), lane),
                        source.get(strand.warp(), lane)));
            }
            case Tcgen05.Fence i ->
                (strand, mask) -> {
                    if (i.side() == Side.BEFORE_THREAD_SYNC) {
                        strand.warp().order().tensor().fenceBefore(mask);
                    } else {
                        strand.warp().order().tensor().fenceAfter(mask);
                    }
                    return Outcome.NEXT;
                };
        };
    }

    /** An operand in tensor memory: a register and an offset. */
    private record TensorOperand(SourceOperand base, int offset) {
        TensorOperand(TensorAddress address, Operands operands) {
            this(operands.value(address.base()), address.offset());
        }

        int address(Warp warp, int lane) {
            return base.word(warp, lane) + offset;
        }

        int uniform(Strand strand, String what) {
            return Tcgen05Operations.uniform(base, strand, "the address of " + what) + offset;
        }
    }

    /** All 32 threads, none of which may have exited. */
    private static void requireWhole(Strand strand, int mask, String what) {
        if (mask != ALL) {
            throw new HazardFound(
                    new Hazard.Divergent(what + " by lanes 0x" + Integer.toHexString(mask) + ", not by a whole warp"));
        }
    }

    private static int uniform(SourceOperand value, Strand strand, String what) {
        int first = value.word(strand.warp(), 0);
        for (int lane = 1; lane < Warp.LANES; lane++) {
            if (value.word(strand.warp(), lane) != first) {
                throw new HazardFound(new Hazard.Divergent(what + " differs between lanes"));
            }
        }
        return first;
    }

    private static Operation allocate(Tcgen05.Allocate i, Operands operands) {
        MemoryOperand destination = MemoryOperand.of(i.destination(), operands);
        SourceOperand columns = operands.value(i.columns());
        return (strand, mask) -> {
            requireWhole(strand, mask, "tcgen05.alloc");
            int count = uniform(columns, strand, "the columns of tcgen05.alloc");
            strand.at(0);
            int address = destination.shared(strand.warp(), 0);
            MemoryOperand.requireAligned("the destination of tcgen05.alloc", address & 0xFFFFFFFFL, 4);
            MbarrierOperations.own(strand, address, "tcgen05.alloc");
            OptionalInt column = Allocator.allocate(strand, i.group(), count);
            if (column.isEmpty()) {
                return Outcome.RETRY;
            }
            MemoryOperand.writeShared(strand, address, 4, column.getAsInt());
            return Outcome.NEXT;
        };
    }

    private static Operation multiply(Tcgen05.Multiply i, Operands operands) {
        TensorOperand d = new TensorOperand(i.d(), operands);
        SourceOperand b = operands.value(i.b());
        SourceOperand descriptor = operands.value(i.descriptor());
        List<SourceOperand> disabled =
                i.disabledLanes().stream().map(operands::value).toList();
        int accumulate = operands.predicate(i.accumulate());
        ToLongOfLane a = switch (i.a()) {
            case MatrixA.Descriptor s -> {
                SourceOperand bits = operands.value(s.descriptor());
                yield bits::get;
            }
            case MatrixA.Tensor t -> new TensorOperand(t.address(), operands)::address;
        };
        boolean tensorA = i.a() instanceof MatrixA.Tensor;
        return Lanes.access((strand, lane) -> Issue.multiply(
                strand,
                i.group(),
                i.kind(),
                d.address(strand.warp(), lane),
                a.of(strand.warp(), lane),
                tensorA,
                b.get(strand.warp(), lane),
                descriptor.word(strand.warp(), lane),
                disabled(disabled, strand.warp(), lane),
                (strand.warp().predicates[accumulate] >>> lane & 1) != 0));
    }

    private static DisabledLanes disabled(List<SourceOperand> words, Warp warp, int lane) {
        return words.isEmpty()
                ? DisabledLanes.NONE
                : new DisabledLanes(
                        words.stream().map(word -> word.word(warp, lane)).toList());
    }

    /** A number that a lane has. */
    @FunctionalInterface
    private interface ToLongOfLane {
        long of(Warp warp, int lane);
    }
}
