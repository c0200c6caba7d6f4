package dev.tilewright.gate.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.trial.TestbedKind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How single cases end; {@link RunDecisionTest} has whole runs. */
class GateExitTest {

    private static List<GateExit> exits(CaseResult one, List<CaseResult> sentinels) {
        GateRun run = Results.run(GateRun.State.FINISHED, TestbedKind.CUDA, List.of(one), sentinels);
        return Stream.of(FailOn.values())
                .map(failOn -> GateExit.of(run, one, failOn))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "PASS, 0 0 0",
        "FASTER, 0 0 0",
        "WARN, 0 1 1",
        "INCONCLUSIVE, 3 3 1",
        "FAIL, 1 1 1",
        "INVALID, 1 1 1",
    })
    void aCaseEndsAsTheRunThatHasItAlone(GateVerdict verdict, String codes) {
        CaseResult one = Results.of("a", verdict, 20);
        assertThat(exits(one, Results.sentinels()).stream().map(exit -> "" + exit.code()))
                .containsExactly(codes.split(" "));
        GateRun run = Results.run(GateRun.State.FINISHED, TestbedKind.CUDA, List.of(one), Results.sentinels());
        for (FailOn failOn : FailOn.values()) {
            assertThat(GateExit.of(run, one, failOn)).isEqualTo(GateExit.of(run, failOn));
        }
    }

    @Test
    void nothingFollowsWithoutEvidenceOrWithoutAnInstrument() {
        assertThat(exits(Results.of("a", GateVerdict.PASS, 0), Results.sentinels())
                        .getFirst())
                .isEqualTo(GateExit.INCONCLUSIVE);
        assertThat(exits(Results.of("a", GateVerdict.FAIL, 20), List.of())).containsOnly(GateExit.INCONCLUSIVE);
        assertThat(exits(Results.of("a", GateVerdict.INVALID, 0), List.of())).containsOnly(GateExit.REGRESSION);
        assertThat(exits(Results.of("a", GateVerdict.UNCHANGED_BINARY, 0, "c1", null), List.of()))
                .containsOnly(GateExit.PASS);
    }

    /** The sentinels of kernels say nothing of a program, and a program nothing of kernels. */
    @ParameterizedTest
    @CsvSource({
        "PASS, false, PASS, true, PASS, 0",
        "PASS, true, PASS, true, PASS, 0",
        "PASS, true, PASS, false, INCONCLUSIVE, 3",
        "PASS, true, FAIL, false, FAIL, 1",
        "PASS, true, INVALID, false, INVALID, 1",
        "PASS, true, INCONCLUSIVE, true, INCONCLUSIVE, 3",
        "FAIL, true, PASS, true, FAIL, 1",
        "FAIL, true, PASS, false, INCONCLUSIVE, 3",
        "PASS, false, FAIL, false, FAIL, 1",
        "PASS, false, WARN, false, WARN, 0",
    })
    void aProgramCountsBesideKernels(
            GateVerdict kernel,
            boolean hasKernel,
            GateVerdict program,
            boolean trusted,
            GateVerdict verdict,
            int code) {
        List<CaseResult> sentinels = trusted && hasKernel ? Results.sentinels() : List.of();
        List<CaseResult> kernels = hasKernel ? List.of(Results.of("a", kernel, 20)) : List.of();
        GateRun ofKernels = Results.run(GateRun.State.FINISHED, TestbedKind.CUDA, kernels, sentinels);

        GateRun run = RunDecision.withPrograms(ofKernels, List.of(Results.program("decode", program)));

        assertThat(run.verdict()).isEqualTo(verdict);
        assertThat(GateExit.of(run, FailOn.REGRESSION).code()).isEqualTo(code);
        assertThat(run.cases()).hasSize(kernels.size() + 1);
        assertThat(run.isOfPrograms()).isEqualTo(!hasKernel);
        assertThat(RunDecision.withPrograms(ofKernels, List.of())).isSameAs(ofKernels);
    }

    @Test
    void aRunWithoutAVerdictGetsNoneByPrograms() {
        GateRun failed =
                Results.run(GateRun.State.FAILED, TestbedKind.CUDA, List.of(Results.of("a", null, 0)), List.of());
        GateRun run = RunDecision.withPrograms(failed, List.of(Results.program("decode", GateVerdict.PASS)));
        assertThat(run.verdict()).isNull();
        assertThat(GateExit.of(run, FailOn.REGRESSION)).isEqualTo(GateExit.INFRASTRUCTURE);
    }

    @Test
    void aCaseWithoutAVerdictIsNoFinding() {
        CaseResult open = Results.of("a", null, 0);
        GateRun failed = Results.run(GateRun.State.FAILED, TestbedKind.CUDA, List.of(open), List.of());
        assertThat(GateExit.of(failed, open, FailOn.REGRESSION)).isEqualTo(GateExit.INFRASTRUCTURE);
    }
}
