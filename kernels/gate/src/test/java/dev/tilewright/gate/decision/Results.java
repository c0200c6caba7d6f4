package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.CaseResult.Side;
import dev.tilewright.gate.document.CaseResult.Stage;
import dev.tilewright.gate.document.CaseResult.Waiver;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Results of cases and runs. */
final class Results {

    static final Instant NOW = Instant.parse("2026-11-25T22:00:00Z");
    private static final UUID ID = new UUID(7, 8);

    private Results() {}

    /** A case with as many counted blocks. */
    static CaseResult of(String name, @Nullable GateVerdict verdict, int counted) {
        return of(name, verdict, counted, "b1", null);
    }

    static CaseResult of(
            String name, @Nullable GateVerdict verdict, int counted, String baselineHash, @Nullable Waiver waiver) {
        List<Stage> stages = counted == 0 ? List.of() : List.of(new Stage(1, verdict, null, counted, 0, List.of(), ""));
        return new CaseResult(
                name,
                ProblemDocument.of(Problem.of(new ProblemShape(512, 256, 1024), DataType.BF16)),
                side("c1"),
                side(baselineHash),
                Margins.STANDARD,
                1,
                List.of(),
                null,
                verdict,
                "because",
                null,
                stages,
                waiver,
                null);
    }

    /** A program with 20 blocks, which has no problem. */
    static CaseResult program(String name, GateVerdict verdict) {
        CaseResult kernel = of(name, verdict, 20);
        return new CaseResult(
                name,
                null,
                kernel.candidate(),
                kernel.baseline(),
                kernel.margins(),
                1,
                List.of(),
                null,
                verdict,
                "because",
                null,
                kernel.stages(),
                null,
                null);
    }

    private static Side side(String hash) {
        return new Side("a kernel", "p-" + hash, hash, null, null, null, "");
    }

    static Waiver waiver(String caseName, String hash) {
        return new Waiver(ID, "main", caseName, hash, "ada", "known", NOW.plusSeconds(3600));
    }

    static List<CaseResult> sentinels() {
        return List.of(
                of(Sentinel.EQUAL.caseName(), GateVerdict.PASS, 40),
                of(Sentinel.SLOWED.caseName(), GateVerdict.FAIL, 20));
    }

    static GateRun run(GateRun.State state, TestbedKind kind, List<CaseResult> cases, List<CaseResult> sentinels) {
        GateVerdict verdict = state == GateRun.State.FINISHED
                ? RunDecision.of(cases, sentinels, kind).verdict()
                : null;
        return new GateRun(
                ID,
                "main",
                state,
                null,
                null,
                "cuda:0",
                new Testbed(kind, "NVIDIA H200", "580", "ptxas", 132, "factory"),
                verdict,
                null,
                cases,
                sentinels,
                null,
                1,
                null,
                null,
                1,
                GateRule.VERSION,
                null,
                null,
                NOW,
                NOW);
    }
}
