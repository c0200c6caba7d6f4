package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.Options;
import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.Verdict;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What hands the sums of a piece over cannot be weaker or missing without a report. */
class SplitKMutationTest {
    private static final int SEEDS = 10;
    private static final long STEPS = 5_000_000;

    private static final GemmCase GEMM = new GemmCase(
            "scheduler=static splitK=2 consumers=1 registers=0 tileM=64 tileN=64", 136, 72, 264, Data.INTEGERS, false);

    private static Memory.Atomic ordered(Memory.Atomic atomic, Ordering ordering) {
        return new Memory.Atomic(
                ordering, atomic.operation(), atomic.type(), atomic.d(), atomic.address(), atomic.b(), atomic.c());
    }

    /** The kernel with the count of the pieces as given instead. */
    private static List<String> findings(Ordering ordering) {
        return findings((before, instruction) -> instruction instanceof Memory.Atomic atomic
                ? Optional.of(ordered(atomic, ordering))
                : Optional.of(instruction));
    }

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
        Entry mutant = entry.withBody(body);
        PtxModule whole = GEMM.kernel().module();
        PtxEmulator emulator =
                new PtxEmulator(new PtxModule(whole.target(), whole.shared(), List.of(mutant)), entry.name());
        return IntStream.range(0, SEEDS)
                .mapToObj(seed -> emulator.run(GEMM.launch(), Options.seed(seed).withStepLimit(STEPS)))
                .map(SplitKMutationTest::finding)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<String> finding(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Faulted faulted -> Optional.of(faulted.finding().message());
            case Verdict.Completed completed -> GEMM.firstWrong(completed.buffer("D"));
        };
    }

    @Test
    void theKernelItselfIsRight() {
        PtxEmulator emulator = GemmRuns.emulator(GEMM);
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(finding(emulator.run(GEMM.launch(), Options.seed(seed).withStepLimit(STEPS))))
                    .isEmpty();
        }
    }

    @Test
    void aCountThatDoesNotRelease() {
        assertThat(findings(Ordering.acquire(Scope.GPU))).isNotEmpty().anySatisfy(SplitKMutationTest::isARace);
    }

    @Test
    void aCountThatDoesNotAcquire() {
        assertThat(findings(Ordering.release(Scope.GPU))).isNotEmpty().anySatisfy(SplitKMutationTest::isARace);
    }

    @Test
    void aCountForTheOwnCtaAlone() {
        assertThat(findings(Ordering.acqRel(Scope.CTA))).isNotEmpty();
    }

    private static void isARace(String message) {
        assertThat(message).containsIgnoringCase("global");
    }

    /** Without it thread 0 counts the piece while others of the warpgroup still store. */
    @Test
    void aCountBeforeTheWarpgroupHasMet() {
        assertThat(findings((before, instruction) -> instruction instanceof Barrier.CtaBarrier && follows(before)
                        ? Optional.empty()
                        : Optional.of(instruction)))
                .isNotEmpty()
                .anySatisfy(SplitKMutationTest::isARace);
    }

    private static boolean follows(List<Statement> before) {
        return !before.isEmpty() && before.getLast() instanceof Memory.Store;
    }
}
