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

    @Test
    void aCaseWithoutAVerdictIsNoFinding() {
        CaseResult open = Results.of("a", null, 0);
        GateRun failed = Results.run(GateRun.State.FAILED, TestbedKind.CUDA, List.of(open), List.of());
        assertThat(GateExit.of(failed, open, FailOn.REGRESSION)).isEqualTo(GateExit.INFRASTRUCTURE);
    }
}
