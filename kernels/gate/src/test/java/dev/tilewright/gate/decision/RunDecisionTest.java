package dev.tilewright.gate.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.trial.TestbedKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunDecisionTest {

    private static List<CaseResult> cases(GateVerdict... verdicts) {
        List<CaseResult> cases = new ArrayList<>();
        for (GateVerdict verdict : verdicts) {
            boolean timed = verdict != GateVerdict.UNCHANGED_BINARY && verdict != GateVerdict.INVALID;
            String hash = verdict == GateVerdict.UNCHANGED_BINARY ? "c1" : "b1";
            cases.add(Results.of("case-" + cases.size(), verdict, timed ? 40 : 0, hash, null));
        }
        return cases;
    }

    private static List<CaseResult> cases(String verdicts) {
        return cases(Stream.of(verdicts.split(" "))
                .filter(word -> !word.isEmpty())
                .map(GateVerdict::valueOf)
                .toArray(GateVerdict[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "'', INCONCLUSIVE, 3 3 3",
        "PASS, PASS, 0 0 0",
        "PASS FASTER, PASS, 0 0 0",
        "UNCHANGED_BINARY UNCHANGED_BINARY, UNCHANGED_BINARY, 0 0 0",
        "UNCHANGED_BINARY PASS, PASS, 0 0 0",
        "PASS WARN, WARN, 0 1 1",
        "PASS FAIL, FAIL, 1 1 1",
        "PASS INCONCLUSIVE, INCONCLUSIVE, 3 3 1",
        "WARN INCONCLUSIVE, INCONCLUSIVE, 3 1 1",
        "FAIL INCONCLUSIVE WARN, FAIL, 1 1 1",
        "PASS INVALID FAIL, INVALID, 1 1 1"
    })
    void theWorstCaseDecides(String verdicts, GateVerdict verdict, String codes) {
        List<CaseResult> cases = cases(verdicts);
        assertThat(RunDecision.of(cases, Results.sentinels(), TestbedKind.CUDA).verdict())
                .isEqualTo(verdict);
        GateRun run = Results.run(GateRun.State.FINISHED, TestbedKind.CUDA, cases, Results.sentinels());
        assertThat(Stream.of(FailOn.values())
                        .map(failOn -> GateExit.of(run, failOn).code() + ""))
                .containsExactly(codes.split(" "));
    }

    @Test
    void whatWasSimulatedNeverPassesNorFails() {
        for (String verdicts : List.of("PASS", "FAIL", "UNCHANGED_BINARY")) {
            RunDecision decision = RunDecision.of(cases(verdicts), Results.sentinels(), TestbedKind.SIMULATED);
            assertThat(decision.verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
            assertThat(decision.reason()).isEqualTo("the times are simulated: a gate needs a real GPU");
            GateRun run =
                    Results.run(GateRun.State.FINISHED, TestbedKind.SIMULATED, cases(verdicts), Results.sentinels());
            for (FailOn failOn : FailOn.values()) {
                assertThat(GateExit.of(run, failOn)).isEqualTo(GateExit.INCONCLUSIVE);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "FAIL, FAIL",
        "WARN, FAIL",
        "FASTER, FAIL",
        "INCONCLUSIVE, FAIL",
        "PASS, PASS",
        "PASS, WARN",
        "PASS, INVALID"
    })
    void aSentinelThatIsNotAsItMustBeTakesTheVerdictAway(GateVerdict equal, GateVerdict slowed) {
        List<CaseResult> sentinels = List.of(
                Results.of(Sentinel.SLOWED.caseName(), slowed, 40), Results.of(Sentinel.EQUAL.caseName(), equal, 40));
        for (String verdicts : List.of("PASS", "FAIL", "WARN INCONCLUSIVE")) {
            RunDecision decision = RunDecision.of(cases(verdicts), sentinels, TestbedKind.CUDA);
            assertThat(decision.verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
            assertThat(decision.reason()).contains("the instrument is not to be trusted: sentinel-");
            GateRun run = Results.run(GateRun.State.FINISHED, TestbedKind.CUDA, cases(verdicts), sentinels);
            assertThat(GateExit.of(run, FailOn.INCONCLUSIVE)).isEqualTo(GateExit.INCONCLUSIVE);
        }
        assertThat(RunDecision.of(cases("INVALID PASS"), sentinels, TestbedKind.CUDA)
                        .verdict())
                .as("a wrong kernel is wrong on any instrument")
                .isEqualTo(GateVerdict.INVALID);
    }

    @Test
    void missingSentinelsAreNeededOnlyWhereSomethingWasTimed() {
        assertThat(RunDecision.of(cases("PASS"), List.of(), TestbedKind.CUDA).verdict())
                .isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(RunDecision.of(cases("UNCHANGED_BINARY"), List.of(), null).verdict())
                .isEqualTo(GateVerdict.UNCHANGED_BINARY);
    }

    @ParameterizedTest
    @CsvSource({"PASS, 0, b1", "FASTER, 0, b1", "WARN, 0, b1", "UNCHANGED_BINARY, 0, b1", ", 40, b1"})
    void aVerdictWithoutEvidenceIsNone(GateVerdict verdict, int counted, String baselineHash) {
        List<CaseResult> cases = List.of(
                Results.of("first", GateVerdict.PASS, 40), Results.of("second", verdict, counted, baselineHash, null));
        RunDecision decision = RunDecision.of(cases, Results.sentinels(), TestbedKind.CUDA);
        assertThat(decision.verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(decision.reason()).startsWith("second: it ");
    }

    @ParameterizedTest
    @CsvSource({
        "FAIL, slow, c1, PASS",
        "WARN, slow, c1, PASS",
        "FAIL, slow, c2, FAIL",
        "FAIL, fast, c1, FAIL",
        "INVALID, slow, c1, INVALID",
        "INCONCLUSIVE, slow, c1, INCONCLUSIVE"
    })
    void aWaiverIsForOneCaseAndOneModuleAndForSlownessAlone(
            GateVerdict verdict, String caseName, String hash, GateVerdict expected) {
        CaseResult waived = Results.of("slow", verdict, 40, "b1", Results.waiver(caseName, hash));
        assertThat(RunDecision.of(List.of(waived), Results.sentinels(), TestbedKind.CUDA)
                        .verdict())
                .isEqualTo(expected);
    }

    @Test
    void aRunThatIsNotFinishedIsNoVerdict() {
        GateRun running = Results.run(GateRun.State.RUNNING, TestbedKind.CUDA, cases("PASS"), Results.sentinels());
        assertThatThrownBy(() -> GateExit.of(running, FailOn.WARN)).hasMessageContaining("the run is running");
        for (GateRun.State state : List.of(GateRun.State.FAILED, GateRun.State.CANCELLED)) {
            GateRun run = Results.run(state, TestbedKind.CUDA, cases("PASS"), Results.sentinels());
            assertThat(GateExit.of(run, FailOn.REGRESSION)).isEqualTo(GateExit.INFRASTRUCTURE);
        }
    }
}
