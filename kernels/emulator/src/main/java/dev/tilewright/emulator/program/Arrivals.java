package dev.tilewright.emulator.program;

import dev.tilewright.emulator.hazard.ShownName;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.ptx.WarpRole;
import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.MbarrierUse;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.type.Immediate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The instructions of a text that arrive at barriers: evidence of who is to come where nobody has. */
public final class Arrivals {
    private static final int MAX_NAMED = 3;

    /**
     * An instruction that arrives at some mbarrier.
     *
     * @param name of the barrier at the constant part of its address, absent where the text does not say it
     * @param whole whether the text says the whole address
     */
    private record Arrival(Instr instr, Optional<String> name, boolean whole) {
        /** Whether it can be of a barrier: of the same ring if the index is open. */
        private boolean reaches(String barrier) {
            return name.isPresent() && (name.get().equals(barrier) || !whole && sameRing(name.get(), barrier));
        }

        /** Rings are declared; without a declaration, all barriers behind an offset in a variable are one ring. */
        private static boolean sameRing(String known, String barrier) {
            int index = known.indexOf('[');
            if (index >= 0) {
                return barrier.startsWith(known.substring(0, index + 1));
            }
            int offset = known.lastIndexOf('+');
            return offset >= 0
                    && barrier.startsWith(known.substring(0, offset + 1))
                    && Integer.parseInt(barrier.substring(offset + 1)) >= Integer.parseInt(known.substring(offset + 1));
        }
    }

    private final Program program;
    private final List<Arrival> arrivals = new ArrayList<>();

    Arrivals(Program program) {
        this.program = program;
        ConstantParts parts = new ConstantParts(program.code(), program.shared());
        for (Instr instr : program.code()) {
            if (instr.source instanceof MbarrierUse use && arrives(use) && isFirst(instr)) {
                ConstantParts.Part part = parts.of(instr.function, use.barrier());
                boolean known =
                        part.value() >= AddressSpace.SHARED_START && part.value() < 1 << AddressSpace.RANK_SHIFT;
                arrivals.add(new Arrival(
                        instr,
                        known ? Optional.of(program.shared().name((int) part.value())) : Optional.empty(),
                        part.whole()));
            }
        }
    }

    /** A function with several calls is unfolded several times; its first copy is enough. */
    private boolean isFirst(Instr instr) {
        return arrivals.stream()
                .noneMatch(other ->
                        other.instr.function.equals(instr.function) && other.instr.statement == instr.statement);
    }

    private static boolean arrives(MbarrierUse instruction) {
        return switch (instruction) {
            case Mbarrier.Arrive _, Mbarrier.ArriveExpectTx _, AsyncCopy.ArriveWhenDone _, Tcgen05.Commit _ -> true;
            case Mbarrier.Init _, Mbarrier.Invalidate _, Mbarrier.ExpectTx _, Mbarrier.CompleteTx _, Mbarrier.Wait _ ->
                false;
            // Bytes that they complete are no arrival.
            case BulkCopy.TensorLoad _,
                    BulkCopy.Load _,
                    BulkCopy.SharedToCluster _,
                    BulkCopy.ReduceToCluster _,
                    Memory.StoreAsync _,
                    Memory.ReduceAsync _,
                    ClusterLaunchControl.TryCancel _ -> false;
        };
    }

    /** The instructions of the text that could arrive at an mbarrier, in words. */
    public String at(String barrier) {
        List<Instr> sure = arrivals.stream()
                .filter(arrival -> arrival.reaches(barrier))
                .map(Arrival::instr)
                .toList();
        if (!sure.isEmpty()) {
            return "what arrives there: " + named(sure);
        }
        List<Instr> open = arrivals.stream()
                .filter(arrival -> arrival.name().isEmpty())
                .map(Arrival::instr)
                .toList();
        return open.isEmpty()
                ? "no instruction of the text arrives there"
                : "what may arrive there, its address is not in the text: " + named(open);
    }

    /** The instructions of the text that could arrive at a barrier of the CTA, in words. */
    public String atNamed(int id) {
        List<Instr> all = Stream.of(program.code())
                .filter(instr -> instr.source instanceof Barrier.CtaBarrier i
                        && (!(i.id() instanceof Immediate<?> constant) || constant.bits() == id))
                .toList();
        return "what arrives there: " + named(all);
    }

    private String named(List<Instr> all) {
        String first = all.stream().limit(MAX_NAMED).map(this::named).collect(Collectors.joining(", "));
        return first + (all.size() > MAX_NAMED ? " and " + (all.size() - MAX_NAMED) + " more" : "");
    }

    private String named(Instr instr) {
        Optional<WarpRole> role = program.entry().roles().stream()
                .filter(span ->
                        span.firstStatement() <= instr.entryStatement && instr.entryStatement < span.endStatement())
                .max(Comparator.comparingInt(WarpRole::firstStatement));
        return "line " + program.line(instr) + " '" + ShownName.ofInstruction(program.text(instr)) + "'"
                + role.map(span -> " (role " + span.name() + ")").orElse("");
    }
}
