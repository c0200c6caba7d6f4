package dev.tilewright.emulator.tcgen05;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.Ptxas;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.AcceptedRules;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.tcgen05.AccumulatorKernel.Mistake;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each rule of tensor memory: a kernel that keeps it has no hazard, one that breaks it has the one that says so. */
class RulesTest {
    private record Expected(Class<? extends Hazard> kind, String text) {}

    private static final Map<Mistake, Expected> EXPECTED = new EnumMap<>(Map.ofEntries(
            entry(Mistake.NO_PROXY_FENCE, Hazard.MissingProxyFence.class, "the tcgen05.mma of"),
            entry(Mistake.NO_FENCE_BEFORE_MULTIPLY, Hazard.Race.class, "no tcgen05.fence::after_thread_sync stands"),
            entry(Mistake.NO_EMPTY_WAIT, Hazard.Race.class, "the tcgen05.mma of"),
            entry(Mistake.NO_COMMIT, Hazard.Deadlock.class, "phase 0 (parity 0) of bar[0]"),
            entry(Mistake.ADDS_TO_POISON, Hazard.UninitialisedRead.class, "of tensor memory, which nobody wrote"),
            entry(Mistake.OTHER_SHAPE, Hazard.Race.class, "does not keep these two in order"),
            entry(Mistake.NO_FULL_WAIT, Hazard.UninitialisedRead.class, "register %x_"),
            entry(Mistake.NO_FENCE_BEFORE_LOAD, Hazard.Race.class, "no tcgen05.fence::after_thread_sync stands"),
            entry(Mistake.NO_LOAD_WAIT, Hazard.Race.class, "tcgen05.wait::ld"),
            entry(Mistake.RELEASED_BEFORE_LOAD_WAIT, Hazard.Race.class, "tcgen05.wait::ld"),
            entry(Mistake.NO_FENCE_BEFORE_RELEASE, Hazard.Race.class, "no tcgen05.fence::before_thread_sync stands"),
            entry(Mistake.RELEASED_BY_ONE_LANE, Hazard.Race.class, "not every lane of the earlier one's warp"),
            entry(Mistake.RELAXED_BY_ONE_LANE, Hazard.Race.class, "not every lane of the earlier one's warp"),
            entry(Mistake.FEWER_READERS, Hazard.Race.class, "the tcgen05.ld of"),
            entry(Mistake.WRONG_LANES, Hazard.TensorMemoryMisuse.class, "which reaches lanes 32..63"),
            entry(Mistake.UNALLOCATED, Hazard.TensorMemoryMisuse.class, "is not allocated by CTA 0"),
            entry(Mistake.POISON, Hazard.UninitialisedRead.class, "register %x_"),
            entry(Mistake.EARLY_DEALLOC, Hazard.Race.class, "the tcgen05.dealloc of"),
            entry(Mistake.NO_DEALLOC, Hazard.LeakedWork.class, "never given back by tcgen05.dealloc: [64 columns"),
            entry(Mistake.PARTIAL_DEALLOC, Hazard.TensorMemoryMisuse.class, "tcgen05.dealloc of 32 columns"),
            entry(Mistake.ALLOC_AFTER_RELINQUISH, Hazard.TensorMemoryMisuse.class, "has relinquished its permit"),
            entry(Mistake.GROWING_ALLOC, Hazard.TensorMemoryMisuse.class, "they must not grow"),
            entry(Mistake.NO_CONSTANT, Hazard.BadDescriptor.class, "bits 46-48 must be 0b001"),
            entry(Mistake.WRONG_M, Hazard.BadDescriptor.class, "M is 96, not 64 or 128"),
            entry(Mistake.MIXED_GROUPS, Hazard.TensorMemoryMisuse.class, ".cta_group::2 in a kernel")));

    private static Map.Entry<Mistake, Expected> entry(Mistake mistake, Class<? extends Hazard> kind, String text) {
        return Map.entry(mistake, new Expected(kind, text));
    }

    @Test
    void rightKernelHasNoHazard() {
        for (int seed = 0; seed < 60; seed++) {
            RunEnd verdict = AccumulatorKernel.right().run(seed);
            assertThat(verdict)
                    .as("seed " + seed + " "
                            + (verdict instanceof RunEnd.Faulted f ? f.finding().message() : ""))
                    .isInstanceOf(RunEnd.Completed.class);
            ByteBuffer d =
                    ByteBuffer.wrap(((RunEnd.Completed) verdict).buffer("d")).order(ByteOrder.LITTLE_ENDIAN);
            while (d.hasRemaining()) {
                assertThat(d.getFloat()).isEqualTo(32f);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Mistake.class)
    void mistakeIsFound(Mistake mistake) {
        Finding finding = AccumulatorKernel.with(mistake).finding();
        Expected expected = EXPECTED.get(mistake);
        assertThat(finding.hazard()).as(finding.message()).isInstanceOf(expected.kind());
        assertThat(finding.message()).contains(expected.text());
        assertThat(finding.site().kernel()).isEqualTo("accumulate");
        assertThat(finding.site().line()).isPositive();
    }

    /** With the fences that NVIDIA's kernels leave out: each is found, and the product is right all the same. */
    @ParameterizedTest
    @CsvSource({
        "NO_FENCE_BEFORE_MULTIPLY, TCGEN05_OPERAND_SYNC",
        "NO_FENCE_BEFORE_LOAD, TCGEN05_AFTER_SYNC",
        "NO_FENCE_BEFORE_RELEASE, TCGEN05_BEFORE_SYNC"
    })
    void aFenceThatIsLeftOutMayBeAccepted(Mistake mistake, Rule rule) {
        AccumulatorKernel kernel = AccumulatorKernel.with(mistake);
        assertThat(kernel.finding().rule()).isEqualTo(rule);
        Set<Rule> idioms = AcceptedRules.named(List.of(Rule.VENDOR_IDIOMS));
        for (int seed = 0; seed < 30; seed++) {
            RunEnd verdict = kernel.run(Options.seed(seed).withAccepted(idioms));
            assertThat(verdict)
                    .as(() -> verdict instanceof RunEnd.Faulted f ? f.finding().message() : "")
                    .isInstanceOfSatisfying(RunEnd.Completed.class, run -> {
                        assertThat(run.accepted()).extracting(Finding::rule).contains(rule);
                        assertThat(ByteBuffer.wrap(run.buffer("d"))
                                        .order(ByteOrder.LITTLE_ENDIAN)
                                        .getFloat())
                                .isEqualTo(32f);
                    });
        }
    }

    /** Two rules are broken; one run tells of both, and ends behind neither. */
    @Test
    void allThatIsLeftOutIsToldAtOnce() {
        AccumulatorKernel kernel =
                new AccumulatorKernel(EnumSet.of(Mistake.NO_FENCE_BEFORE_MULTIPLY, Mistake.NO_FENCE_BEFORE_LOAD));
        assertThat(kernel.run(0))
                .isInstanceOfSatisfying(
                        RunEnd.Faulted.class,
                        run -> assertThat(run.findings())
                                .extracting(Finding::rule)
                                .contains(Rule.TCGEN05_OPERAND_SYNC, Rule.TCGEN05_AFTER_SYNC)
                                .allMatch(Rule::acceptable));
        Set<Rule> one = Set.of(Rule.TCGEN05_AFTER_SYNC);
        assertThat(kernel.run(Options.seed(0).withAccepted(one))).isInstanceOf(RunEnd.Faulted.class);
    }

    @Test
    void assembles() throws Exception {
        Ptxas.assemble(AccumulatorKernel.right().module());
    }
}
