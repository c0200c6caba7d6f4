package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.Options;
import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.Verdict;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.instruction.WarpExchange.BarrierVote;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What hands over the sums of a shared tile cannot be weaker or missing without a report. Three tiles on four SMs, of
 * ten blocks, each cut into two pieces.
 */
class StreamKMutationTest {
    private static final int SEEDS = 10;
    private static final long STEPS = 5_000_000;

    private static final GemmCase GEMM = new GemmCase(
            "streamK=remainder consumers=1 registers=0 tileM=64 tileN=64", 136, 56, 584, Data.INTEGERS, false);

    /** What becomes of an instruction behind others. */
    private interface Change {
        Optional<Instruction> of(List<Statement> before, Instruction instruction);
    }

    private static List<String> findings(Change change) {
        Entry entry = GEMM.kernel().module().entry(GEMM.kernelLaunch().entry());
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
        PtxModule whole = GEMM.kernel().module();
        PtxEmulator emulator = new PtxEmulator(
                new PtxModule(whole.target(), whole.shared(), List.of(entry.withBody(body))), entry.name());
        return findings(emulator);
    }

    private static List<String> findings(PtxEmulator emulator) {
        return IntStream.range(0, SEEDS)
                .mapToObj(seed -> emulator.run(GEMM.launch(), Options.seed(seed).withStepLimit(STEPS)))
                .map(StreamKMutationTest::finding)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<String> finding(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Faulted faulted -> Optional.of(faulted.finding().message());
            case Verdict.Completed completed ->
                GEMM.firstWrong(completed.buffer("D")).or(() -> leftOver(completed));
        };
    }

    /** What the next launch would find. */
    private static Optional<String> leftOver(Verdict.Completed completed) {
        byte[] arrivals = completed.buffer(BufferRole.ARRIVALS.name());
        return Arrays.equals(arrivals, new byte[arrivals.length])
                ? Optional.empty()
                : Optional.of("arrivals are left at " + Arrays.toString(arrivals));
    }

    /** The kernel with the count of the pieces as given instead. */
    private static List<String> counted(Ordering ordering) {
        return findings((before, instruction) -> instruction instanceof Memory.Atomic atomic
                ? Optional.of(with(atomic, ordering, atomic.b()))
                : Optional.of(instruction));
    }

    private static List<String> wrapped(Operand<B32> at) {
        return findings((before, instruction) -> instruction instanceof Memory.Atomic atomic
                ? Optional.of(with(atomic, atomic.ordering(), at))
                : Optional.of(instruction));
    }

    private static Memory.Atomic with(Memory.Atomic atomic, Ordering ordering, Operand<?> bound) {
        return new Memory.Atomic(
                ordering, atomic.operation(), atomic.type(), atomic.d(), atomic.address(), bound, atomic.c());
    }

    private static void isARace(String message) {
        assertThat(message).containsIgnoringCase("global");
    }

    @Test
    void theKernelItselfIsRight() {
        assertThat(findings(new PtxEmulator(
                        GEMM.kernel().module(), GEMM.kernelLaunch().entry())))
                .isEmpty();
    }

    @Test
    void aCountThatDoesNotRelease() {
        assertThat(counted(Ordering.acquire(Scope.GPU))).isNotEmpty().anySatisfy(StreamKMutationTest::isARace);
    }

    @Test
    void aCountThatDoesNotAcquire() {
        assertThat(counted(Ordering.release(Scope.GPU))).isNotEmpty().anySatisfy(StreamKMutationTest::isARace);
    }

    @Test
    void aCountForTheOwnCtaAlone() {
        assertThat(counted(Ordering.acqRel(Scope.CTA))).isNotEmpty();
    }

    /** Too soon for two pieces, so that nobody is the last one; too late, so that the next launch counts on. */
    @Test
    void aCountThatWrapsElsewhere() {
        assertThat(wrapped(Immediate.b32(0))).hasSize(SEEDS);
        assertThat(wrapped(Immediate.b32(2)))
                .hasSize(SEEDS)
                .allSatisfy(message -> assertThat(message).startsWith("arrivals are left at [2, 0, 0, 0, 2,"));
    }

    /** Without it thread 0 counts the piece while others of the warpgroup still store. */
    @Test
    void aCountBeforeTheWarpgroupHasMet() {
        assertThat(findings((before, instruction) -> instruction instanceof Barrier.CtaBarrier && follows(before)
                        ? Optional.empty()
                        : Optional.of(instruction)))
                .isNotEmpty()
                .anySatisfy(StreamKMutationTest::isARace);
    }

    private static boolean follows(List<Statement> before) {
        return !before.isEmpty() && before.getLast() instanceof Memory.Store;
    }

    /** Without it each thread knows of itself alone: thread 0 adds up its part, the others do not. */
    @Test
    void aVoteThatIsNotTaken() {
        assertThat(findings((before, instruction) ->
                        instruction instanceof BarrierVote ? Optional.empty() : Optional.of(instruction)))
                .isNotEmpty();
    }
}
