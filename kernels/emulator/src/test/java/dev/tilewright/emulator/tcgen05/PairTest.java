package dev.tilewright.emulator.tcgen05;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.Ptxas;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.tcgen05.PairKernel.Mistake;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What two CTAs must do together. */
class PairTest {
    private record Expected(Class<? extends Hazard> kind, String text) {}

    private static final Map<Mistake, Expected> EXPECTED = new EnumMap<>(Map.of(
            Mistake.DEALLOC_ON_BOTH_SIDES,
            new Expected(Hazard.Deadlock.class, "to give back tensor memory together"),
            Mistake.ONE_ALLOCATES,
            new Expected(Hazard.Deadlock.class, "to allocate tensor memory together"),
            Mistake.OTHER_COLUMNS,
            new Expected(Hazard.Divergent.class, "columns of tensor memory"),
            Mistake.NO_MULTICAST,
            new Expected(Hazard.Deadlock.class, "of CTA 1"),
            Mistake.EARLY_DEALLOC,
            new Expected(Hazard.Race.class, "the tcgen05.dealloc of"),
            Mistake.OWN_BARRIERS,
            new Expected(Hazard.ReadBeforeCopy.class, "the tcgen05.mma of")));

    @Test
    void halvesOfAPairMakeOneProduct() {
        for (int seed = 0; seed < 40; seed++) {
            RunEnd verdict = PairKernel.right().run(seed);
            assertThat(verdict)
                    .as("seed " + seed + " "
                            + (verdict instanceof RunEnd.Faulted f ? f.finding().message() : ""))
                    .isInstanceOf(RunEnd.Completed.class);
            assertThat(PairKernel.firstWrong((RunEnd.Completed) verdict)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Mistake.class)
    void mistakeIsFound(Mistake mistake) {
        Finding finding = PairKernel.with(mistake).finding();
        Expected expected = EXPECTED.get(mistake);
        assertThat(finding.hazard()).as(finding.message()).isInstanceOf(expected.kind());
        assertThat(finding.message()).contains(expected.text());
    }

    @Test
    void assembles() throws Exception {
        Ptxas.assemble(PairKernel.right().module());
    }
}
