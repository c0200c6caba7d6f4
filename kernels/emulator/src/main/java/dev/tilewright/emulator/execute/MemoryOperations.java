package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.Lanes.extend;

import dev.tilewright.emulator.async.StoreToShared;
import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.number.FloatFormat;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import java.util.List;
import java.util.Optional;

/** Loads, stores and atomics of single threads. All see an access at once. PTX 9.7.9, 9.7.13. */
public final class MemoryOperations {
    private MemoryOperations() {}

    public static Operation decode(Memory instruction, Operands operands) {
        return switch (instruction) {
            case Memory.Load i -> load(i, operands);
            case Memory.Store i -> store(i, operands);
            case Memory.Atomic i -> {
                if (i.type() == ScalarType.B128) {
                    throw new NotEmulatedException("an atomic of 128 bits");
                }
                List<DestinationOperand> d =
                        i.d().stream().<DestinationOperand>map(operands::target).toList();
                yield atomic(i.operation(), i.type(), d, i.address(), i.b(), i.c(), operands);
            }
            case Memory.Reduce i ->
                atomic(i.operation(), i.type(), List.of(), i.address(), i.b(), Optional.empty(), operands);
            // It may name any address, also beyond what there is.
            case Memory.Prefetch _ -> (strand, mask) -> Outcome.NEXT;
            case Memory.StoreAsync i -> storeAsync(i, operands);
            case Memory.ReduceAsync _ -> throw new NotEmulatedException("red.async");
            case Memory.PrefetchTensorMap i -> {
                MemoryOperand map = MemoryOperand.of(i.map(), operands);
                yield Lanes.access(
                        (strand, lane) -> strand.memory().tensorMaps().at(strand, map.address(strand.warp(), lane)));
            }
        };
    }

    private static Operation load(Memory.Load i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.address(), operands);
        ScalarType type = i.type();
        int bytes = type.bytes();
        if (type == ScalarType.B128) {
            DestinationOperand d = operands.target(i.d().getFirst());
            return Lanes.access((strand, lane) -> {
                long address = operand.address(strand.warp(), lane);
                operand.requireAligned(strand, "load", address, 16);
                d.set(strand.warp(), lane, operand.read(strand, address, 8));
                d.setHigh(strand.warp(), lane, operand.read(strand, address + 8, 8));
                strand.got(d);
            });
        }
        List<DestinationOperand> targets =
                i.d().stream().<DestinationOperand>map(operands::target).toList();
        return Lanes.access((strand, lane) -> {
            long address = operand.address(strand.warp(), lane);
            operand.requireAligned(strand, "load", address, bytes * targets.size());
            for (int part = 0; part < targets.size(); part++) {
                long value = operand.read(strand, address + (long) part * bytes, bytes);
                targets.get(part).set(strand.warp(), lane, extend(type, value));
                strand.got(targets.get(part));
            }
        });
    }

    private static Operation store(Memory.Store i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.address(), operands);
        int bytes = i.type().bytes();
        List<SourceOperand> values =
                i.values().stream().<SourceOperand>map(operands::value).toList();
        if (i.type() == ScalarType.B128) {
            SourceOperand value = values.getFirst();
            return Lanes.access((strand, lane) -> {
                long address = operand.address(strand.warp(), lane);
                operand.requireAligned(strand, "store", address, 16);
                operand.write(strand, address, 8, value.get(strand.warp(), lane));
                operand.write(strand, address + 8, 8, value.high(strand.warp(), lane));
            });
        }
        return Lanes.access((strand, lane) -> {
            long address = operand.address(strand.warp(), lane);
            operand.requireAligned(strand, "store", address, bytes * values.size());
            for (int part = 0; part < values.size(); part++) {
                long value = values.get(part).get(strand.warp(), lane);
                operand.write(strand, address + (long) part * bytes, bytes, value);
            }
        });
    }

    /**
     * An atomic on one cell, or on several in a row of which each is atomic on its own.
     *
     * @param d where the old values go, if anywhere
     * @param b a value for each cell
     */
    private static Operation atomic(
            AtomicOperation operation,
            ScalarType type,
            List<DestinationOperand> d,
            Address addressed,
            List<Operand<?>> values,
            Optional<Operand<?>> compared,
            Operands operands) {
        MemoryOperand operand = MemoryOperand.of(addressed, operands);
        List<SourceOperand> b =
                values.stream().<SourceOperand>map(operands::value).toList();
        Optional<SourceOperand> c = compared.map(operands::value);
        int bytes = type.bytes();
        // Sums of f32 in global memory lose subnormals, those in shared memory do not. PTX 9.7.13.5.
        boolean flushes = operation == AtomicOperation.ADD && type == ScalarType.F32;
        boolean counts = (operation == AtomicOperation.ADD || operation == AtomicOperation.INC) && !type.isFloat();
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            long first = operand.address(warp, lane);
            operand.requireAligned(strand, "atomic", first, bytes * b.size());
            long other = c.isPresent() ? c.get().get(warp, lane) : 0;
            for (int i = 0; i < b.size(); i++) {
                long address = first + (long) i * bytes;
                long old = operand.read(strand, address, bytes);
                long value = b.get(i).get(warp, lane);
                long result = flushes && !operand.isShared(address)
                        ? FloatFormat.F32.flush(add(type, FloatFormat.F32.flush(old), FloatFormat.F32.flush(value)))
                        : combine(operation, type, old, value, other);
                operand.write(strand, address, bytes, result);
                if (result != old) {
                    strand.device().tally().change();
                }
                if (counts && !d.isEmpty() && !operand.isShared(address)) {
                    strand.device()
                            .taken()
                            .drew(
                                    strand.cta().id(),
                                    address,
                                    old,
                                    strand.memory().global());
                }
                if (!d.isEmpty()) {
                    d.get(i).set(warp, lane, old);
                }
            }
        });
    }

    /** The value that an atomic leaves in memory. */
    static long combine(AtomicOperation operation, ScalarType type, long old, long b, long c) {
        return switch (operation) {
            case ADD -> add(type, old, b);
            case MIN ->
                type.isFloat() ? floats(FloatMath.Operation.MIN, type, old, b) : smaller(type, old, b) ? old : b;
            case MAX ->
                type.isFloat() ? floats(FloatMath.Operation.MAX, type, old, b) : smaller(type, old, b) ? b : old;
            case INC -> Long.compareUnsigned(extend(type, old), extend(type, b)) >= 0 ? 0 : old + 1;
            case DEC ->
                extend(type, old) == 0 || Long.compareUnsigned(extend(type, old), extend(type, b)) > 0 ? b : old - 1;
            case AND -> old & b;
            case OR -> old | b;
            case XOR -> old ^ b;
            case EXCH -> b;
            case CAS -> extend(type, old) == extend(type, b) ? c : old;
        };
    }

    private static boolean smaller(ScalarType type, long a, long b) {
        return type.isSigned()
                ? extend(type, a) < extend(type, b)
                : Long.compareUnsigned(extend(type, a), extend(type, b)) < 0;
    }

    private static long add(ScalarType type, long a, long b) {
        return type.isFloat() ? floats(FloatMath.Operation.ADD, type, a, b) : a + b;
    }

    private static long floats(FloatMath.Operation operation, ScalarType type, long a, long b) {
        return FloatMathOperations.binary(operation, Rounding.NONE, FloatMath.Options.NONE, type)
                .of(a, b);
    }

    private static Operation storeAsync(Memory.StoreAsync i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.address(), operands);
        MemoryOperand barrierOperand = MemoryOperand.of(i.barrier(), operands);
        int bytes = i.type().bytes();
        List<SourceOperand> values =
                i.values().stream().<SourceOperand>map(operands::value).toList();
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            int address = operand.shared(warp, lane);
            operand.requireAligned(strand, "st.async", address & 0xFFFFFFFFL, i.bytes());
            Cta cta = strand.cluster().cta(address, "st.async");
            Mbarrier barrier = remoteBarrier(strand, cta, barrierOperand.shared(warp, lane));
            byte[] content = new byte[i.bytes()];
            for (int part = 0; part < values.size(); part++) {
                Bytes.put(content, part * bytes, bytes, values.get(part).get(warp, lane));
            }
            strand.device()
                    .async()
                    .add(new StoreToShared(strand.origin(), cta.shared(), Cluster.offset(address), content, barrier));
        });
    }

    private static Mbarrier remoteBarrier(Strand strand, Cta cta, int address) {
        if (strand.cluster().cta(address, "st.async") != cta) {
            throw new HazardFound(new Hazard.BadOperand("st.async: the barrier must be in the CTA of the destination"));
        }
        Mbarrier barrier = cta.shared().barrier(Cluster.offset(address), "st.async");
        barrier.requireVisible("st.async", strand.cta().id());
        return barrier;
    }
}
