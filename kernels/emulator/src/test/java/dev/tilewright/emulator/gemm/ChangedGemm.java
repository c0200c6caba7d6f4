package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.StateSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** A GEMM with instructions of its kernel changed or left out, and what several runs find wrong with it. */
record ChangedGemm(GemmCase gemm) {
    static final int SEEDS = 10;
    private static final long STEPS = 5_000_000;

    /** What becomes of an instruction behind others. */
    @FunctionalInterface
    interface Change {
        Optional<Instruction> of(List<Statement> before, Instruction instruction);

        /** The counts of pieces with another order. */
        static Change counted(Ordering ordering) {
            return counted(ordering, _ -> true);
        }

        /** Those of them that add such an operand. */
        static Change counted(Ordering ordering, Predicate<Operand<?>> operand) {
            return (before, instruction) -> instruction instanceof Memory.Atomic atomic
                            && operand.test(atomic.b().getFirst())
                    ? Optional.of(with(atomic, ordering, atomic.b().getFirst()))
                    : Optional.of(instruction);
        }

        /** Loads that acquire, with another order. */
        static Change acquired(Ordering ordering) {
            return (before, instruction) -> instruction instanceof Memory.Load load
                            && load.ordering().sem() == Sem.ACQUIRE
                    ? Optional.of(new Memory.Load(ordering, load.cache(), load.type(), load.d(), load.address()))
                    : Optional.of(instruction);
        }

        /** Without the reductions of an order. */
        static Change withoutReductions(Sem sem) {
            return (before, instruction) -> instruction instanceof Memory.Reduce reduce
                            && reduce.ordering().sem() == sem
                    ? Optional.empty()
                    : Optional.of(instruction);
        }

        /** Registers that are set to a number are set to another one. */
        static Change set(Immediate<B32> from, Immediate<B32> to) {
            return (before, instruction) ->
                    instruction instanceof Move.Copy copy && copy.a().equals(from)
                            ? Optional.of(new Move.Copy(copy.type(), copy.d(), to))
                            : Optional.of(instruction);
        }

        private static Memory.Atomic with(Memory.Atomic atomic, Ordering ordering, Operand<?> bound) {
            return new Memory.Atomic(
                    ordering,
                    atomic.operation(),
                    atomic.type(),
                    atomic.d().getFirst(),
                    atomic.address(),
                    bound,
                    atomic.c());
        }

        /** Without the instructions of a kind. */
        static Change without(Class<? extends Instruction> kind) {
            return (before, instruction) -> kind.isInstance(instruction) ? Optional.empty() : Optional.of(instruction);
        }

        /** Without the instructions of a kind that stand right behind a store to that space. */
        static Change withoutBehindStores(Class<? extends Instruction> kind, StateSpace space) {
            return (before, instruction) -> kind.isInstance(instruction)
                            && lastOf(before)
                                    .filter(last -> stores(last, space))
                                    .isPresent()
                    ? Optional.empty()
                    : Optional.of(instruction);
        }

        private static Optional<Statement> lastOf(List<Statement> code) {
            return code.reversed().stream()
                    .filter(statement -> !(statement instanceof Statement.Comment))
                    .findFirst();
        }

        private static boolean stores(Statement statement, StateSpace space) {
            return statement instanceof Memory.Store store && store.address().space() == space
                    || statement instanceof Statement.Guarded guarded && stores(guarded.instruction(), space);
        }
    }

    /** What runs of the kernel as it is find. */
    List<String> findings() {
        return findings(GemmRuns.emulator(gemm));
    }

    /** The same of a changed kernel; something must have been changed. */
    List<String> findings(Change change) {
        return findings(emulator(change));
    }

    /** What runs of a changed kernel come to that may break some rules. */
    List<RunEnd> verdicts(Change change, Set<Rule> accepted) {
        PtxEmulator emulator = emulator(change);
        return IntStream.range(0, SEEDS)
                .mapToObj(seed -> emulator.run(
                        gemm.launch(), GemmRuns.roughEverySecond(seed).withAccepted(accepted)))
                .toList();
    }

    private PtxEmulator emulator(Change change) {
        Entry entry = gemm.kernel().module().entry(gemm.kernelLaunch().entry());
        List<Statement> body = new ArrayList<>();
        boolean changed = false;
        for (Statement statement : entry.body()) {
            if (statement instanceof Instruction instruction) {
                Optional<Instruction> other = change.of(body, instruction);
                changed |= !other.equals(Optional.of(instruction));
                other.ifPresent(body::add);
            } else {
                body.add(statement);
            }
        }
        assertThat(changed).as("something was changed").isTrue();
        PtxModule whole = gemm.kernel().module();
        return new PtxEmulator(
                new PtxModule(whole.target(), whole.shared(), List.of(entry.withBody(body))), entry.name());
    }

    private List<String> findings(PtxEmulator emulator) {
        return IntStream.range(0, SEEDS)
                .mapToObj(seed -> emulator.run(gemm.launch(), Options.seed(seed).withStepLimit(STEPS)))
                .map(this::finding)
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<String> finding(RunEnd verdict) {
        return switch (verdict) {
            case RunEnd.Faulted faulted -> Optional.of(faulted.finding().message());
            case RunEnd.Completed completed ->
                gemm.firstWrong(completed.buffer("D")).or(() -> leftOver(completed));
        };
    }

    /** What the next launch would find. */
    private Optional<String> leftOver(RunEnd.Completed completed) {
        if (gemm.kernelLaunch().buffers().stream().noneMatch(buffer -> buffer.role() == BufferRole.ARRIVALS)) {
            return Optional.empty();
        }
        byte[] arrivals = completed.buffer(BufferRole.ARRIVALS.name());
        return Arrays.equals(arrivals, new byte[arrivals.length])
                ? Optional.empty()
                : Optional.of("arrivals are left at " + Arrays.toString(arrivals));
    }
}
