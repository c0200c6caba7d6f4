package dev.tilewright.gate.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class GateExitTest {

    private static final Instant NOW = Instant.parse("2026-11-25T22:00:00Z");
    private static final UUID ID = UUID.fromString("3153c195-457f-432b-af6c-aa492dbe5604");

    private static CaseResult one(@Nullable GateVerdict verdict, int counted, boolean equal, boolean waived) {
        ProblemDocument problem = new ProblemDocument(384, 640, 256, DataType.BF16, null, null, null, null, null);
        return new CaseResult(
                "case",
                problem,
                side("a"),
                side(equal ? "a" : "b"),
                Margins.STANDARD,
                1,
                List.of(),
                null,
                verdict,
                "because",
                null,
                List.of(new CaseResult.Stage(1, verdict, null, counted, 0, List.of(), "")),
                waived ? new CaseResult.Waiver(ID, "gate", "case", "a", "ann", "known", NOW) : null,
                null);
    }

    private static CaseResult.Side side(String hash) {
        return new CaseResult.Side("kernel", hash, hash, null, null, null, "");
    }

    private static GateRun run(
            GateRun.State state, @Nullable GateVerdict verdict, TestbedKind kind, CaseResult... cases) {
        return new GateRun(
                ID,
                "gate",
                state,
                null,
                null,
                "auto",
                new Testbed(kind, "GPU", "580", "ptxas", 132, "factory"),
                verdict,
                "because",
                List.of(cases),
                List.of(),
                null,
                1,
                null,
                7,
                "1",
                null,
                null,
                NOW,
                NOW);
    }

    private static GateExit exit(GateVerdict verdict, FailOn failOn, CaseResult... cases) {
        return GateExit.of(run(GateRun.State.FINISHED, verdict, TestbedKind.CUDA, cases), failOn);
    }

    private static CaseResult measured(GateVerdict verdict) {
        return one(verdict, 20, verdict == GateVerdict.UNCHANGED_BINARY, false);
    }

    @ParameterizedTest
    @CsvSource({
        "PASS, 0, 0, 0",
        "FASTER, 0, 0, 0",
        "UNCHANGED_BINARY, 0, 0, 0",
        "WARN, 0, 1, 1",
        "INCONCLUSIVE, 3, 3, 1",
        "FAIL, 1, 1, 1",
        "INVALID, 1, 1, 1"
    })
    void eachVerdictHasItsCode(GateVerdict verdict, int regression, int warn, int inconclusive) {
        assertThat(Stream.of(FailOn.values())
                        .map(failOn -> exit(verdict, failOn, measured(verdict)).code()))
                .containsExactly(regression, warn, inconclusive);
    }

    @ParameterizedTest
    @EnumSource(FailOn.class)
    void noCaseNeverPasses(FailOn failOn) {
        for (GateVerdict verdict : GateVerdict.values()) {
            assertThat(exit(verdict, failOn)).isNotEqualTo(GateExit.PASS);
        }
        assertThat(exit(GateVerdict.PASS, failOn)).isEqualTo(GateExit.INCONCLUSIVE);
    }

    @ParameterizedTest
    @EnumSource(
            value = GateVerdict.class,
            names = {"PASS", "WARN", "FASTER", "FAIL", "INCONCLUSIVE"})
    void nothingFollowsFromNoBlocks(GateVerdict verdict) {
        assertThat(exit(GateVerdict.PASS, FailOn.INCONCLUSIVE, one(verdict, 0, true, false)))
                .isEqualTo(GateExit.INCONCLUSIVE);
    }

    @Test
    void anUnchangedBinaryHasEqualHashes() {
        assertThat(exit(GateVerdict.PASS, FailOn.WARN, one(GateVerdict.UNCHANGED_BINARY, 0, false, false)))
                .isEqualTo(GateExit.INCONCLUSIVE);
        assertThat(exit(GateVerdict.PASS, FailOn.WARN, one(GateVerdict.UNCHANGED_BINARY, 0, true, false)))
                .isEqualTo(GateExit.PASS);
    }

    @ParameterizedTest
    @EnumSource(
            value = TestbedKind.class,
            names = {"SIMULATED", "EMULATED"})
    void whatIsNotRealIsInconclusive(TestbedKind kind) {
        GateRun run = run(GateRun.State.FINISHED, GateVerdict.PASS, kind, measured(GateVerdict.PASS));
        assertThat(GateExit.of(run, FailOn.REGRESSION)).isEqualTo(GateExit.INCONCLUSIVE);
    }

    @Test
    void theFirstOf4And1And3And0() {
        CaseResult fail = measured(GateVerdict.FAIL);
        CaseResult open = one(null, 0, false, false);
        CaseResult unclear = measured(GateVerdict.INCONCLUSIVE);
        CaseResult pass = measured(GateVerdict.PASS);
        assertThat(exit(GateVerdict.FAIL, FailOn.WARN, pass, unclear, fail, open)
                        .code())
                .isEqualTo(4);
        assertThat(exit(GateVerdict.FAIL, FailOn.WARN, pass, unclear, fail).code())
                .isEqualTo(1);
        assertThat(exit(GateVerdict.INCONCLUSIVE, FailOn.WARN, pass, unclear).code())
                .isEqualTo(3);
        for (GateRun.State state : GateRun.State.values()) {
            assertThat(GateExit.of(run(state, GateVerdict.FAIL, TestbedKind.CUDA, fail), FailOn.WARN)
                            .code())
                    .isEqualTo(state == GateRun.State.FINISHED ? 1 : 4);
        }
    }

    @Test
    void aWaiverCoversSlownessAndNoWrongResult() {
        assertThat(exit(GateVerdict.FAIL, FailOn.WARN, one(GateVerdict.FAIL, 20, false, true)))
                .isEqualTo(GateExit.PASS);
        assertThat(exit(GateVerdict.WARN, FailOn.WARN, one(GateVerdict.WARN, 20, false, true)))
                .isEqualTo(GateExit.PASS);
        assertThat(exit(GateVerdict.INVALID, FailOn.WARN, one(GateVerdict.INVALID, 20, false, true)))
                .isEqualTo(GateExit.REGRESSION);
    }

    /** A sentinel says so; the slowness of a case is then none, its wrong result still is. */
    @Test
    void anInstrumentThatIsNotTrustedAccusesNobody() {
        assertThat(exit(GateVerdict.INCONCLUSIVE, FailOn.REGRESSION, measured(GateVerdict.FAIL)))
                .isEqualTo(GateExit.INCONCLUSIVE);
        assertThat(exit(GateVerdict.INCONCLUSIVE, FailOn.REGRESSION, measured(GateVerdict.INVALID)))
                .isEqualTo(GateExit.REGRESSION);
    }

    @Test
    void aRunThatFailedWithoutACaseThatDidDoesNotPass() {
        assertThat(exit(GateVerdict.FAIL, FailOn.REGRESSION, measured(GateVerdict.PASS)))
                .isEqualTo(GateExit.REGRESSION);
    }
}
