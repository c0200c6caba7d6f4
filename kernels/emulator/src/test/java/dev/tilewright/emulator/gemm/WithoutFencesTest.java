package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.emulator.hazard.AcceptedRules;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.testing.DrawnRows;
import java.util.List;
import java.util.Set;

/** Whole kernels without any tcgen05.fence, as CUTLASS writes them: what is missing is all that is ever found. */
class WithoutFencesTest {
    private static final ChangedGemm.Change NO_FENCES = ChangedGemm.Change.without(Tcgen05.Fence.class);

    private static ChangedGemm gemm(String parameters, int m, int n, int k) {
        return new ChangedGemm(GemmCase.sm100(parameters, m, n, k, Data.INTEGERS, false));
    }

    @DrawnRows(count = 1, of = """
        scheduler=static accumulatorStages=2 loadStages=4 | 456 | 520 | 72
        scheduler=clc clcStages=2 clcPrefetch=2 accumulatorStages=2 | 456 | 520 | 72
        scheduler=clc ctaGroup=2 tileM=256 clusterM=2 | 712 | 264 | 136
        """)
    void onlyTheMissingFencesAreFound(String parameters, int m, int n, int k) {
        ChangedGemm gemm = gemm(parameters, m, n, k);
        Set<Rule> idioms = AcceptedRules.named(List.of(Rule.VENDOR_IDIOMS));
        for (RunEnd verdict : gemm.verdicts(NO_FENCES, idioms)) {
            assertThat(verdict)
                    .as(() -> verdict instanceof RunEnd.Faulted f ? f.findings().toString() : "")
                    .isInstanceOfSatisfying(RunEnd.Completed.class, run -> {
                        assertThat(gemm.gemm().firstWrong(run.buffer("D"))).isEmpty();
                        assertThat(run.accepted()).isNotEmpty();
                    });
        }
        assertThat(gemm.verdicts(NO_FENCES, Set.of()))
                .allSatisfy(verdict -> assertThat(verdict)
                        .isInstanceOfSatisfying(
                                RunEnd.Faulted.class,
                                run -> assertThat(run.findings())
                                        .allMatch(finding -> finding.rule().acceptable())));
    }
}
