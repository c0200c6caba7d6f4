package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.gate.document.Retune;
import dev.tilewright.model.exchange.ConfigRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs as the service answers them. */
public final class GateRuns {

    public static final UUID ID = UUID.fromString("7a3be40c-56b1-402b-b07b-1b109bbcf5e0");
    public static final Instant START = Instant.parse("2026-11-25T22:00:00.250Z");
    public static final String FINDING = "missing fence.proxy.async: the bulk store of gemm line 361 '@%p31"
            + " cp.async.bulk.tensor.2d' (CTA 2 rank 0, warp 4, lane 0) accesses panels+0";

    private static final ProblemShape SHAPE = new ProblemShape(384, 640, 256);
    private static final String HASH = "0123456789abcdef".repeat(4);

    private GateRuns() {}

    /** A case with a verdict, and the blocks that it takes. */
    public static CaseResult one(String name, @Nullable GateVerdict verdict, double percent) {
        return one(name, verdict, percent, "tilewright.yaml:7");
    }

    /** The same, with the file that it is of. */
    public static CaseResult one(String name, @Nullable GateVerdict verdict, double percent, @Nullable String source) {
        boolean timed = verdict != null && verdict != GateVerdict.UNCHANGED_BINARY && verdict != GateVerdict.INVALID;
        Effect effect = timed
                ? new Effect(
                        percent, percent - 0.3, percent + 0.3, 0.99, 20, 15.5, percent, 0.4, 0.35, 0.001, 0.002, 0.01)
                : null;
        CaseResult.Side candidate = verdict == GateVerdict.INVALID ? refuted() : side(HASH, "static 128x128x64");
        return new CaseResult(
                name,
                ProblemDocument.of(Problem.of(SHAPE, DataType.BF16)),
                candidate,
                side(verdict == GateVerdict.UNCHANGED_BINARY ? HASH : HASH.replace('0', 'f'), "static 128x256x64"),
                Margins.STANDARD,
                1,
                List.of(),
                source,
                verdict,
                verdict == null ? "" : "said of " + verdict,
                effect,
                timed
                        ? List.of(new CaseResult.Stage(
                                1, verdict, effect, 20, 2, List.of("2 blocks: the clock changed by 3 %"), ""))
                        : List.of(),
                null,
                verdict == GateVerdict.FAIL ? recovered() : null);
    }

    /** What tuning a case again has brought. */
    public static Retune recovered() {
        return new Retune(
                Retune.State.RECOVERED,
                "static 128x192x64: +0.10 % [-0.20, +0.40] in 10 blocks: not slower by 1 %",
                ID,
                new GateKernel("toy", ConfigRequest.of(Config.parse("tileM=128")), null, null, null, null),
                side(HASH, "static 128x192x64"),
                new Effect(0.1, -0.2, 0.4, 0.99, 10, 9.5, 0.1, 0.2, 0.3, 0.9, 0.9, 0.01));
    }

    /** The case before the run has its verdict. */
    public static CaseResult undecided(CaseResult of) {
        return new CaseResult(
                of.name(),
                of.problem(),
                of.candidate(),
                of.baseline(),
                of.margins(),
                of.weight(),
                of.accept(),
                of.source(),
                null,
                "",
                null,
                of.stages(),
                null,
                null);
    }

    private static CaseResult.Side side(String hash, String kernel) {
        return new CaseResult.Side(kernel, hash, hash, TrialOutcome.COMPLETED, null, 0.4, "");
    }

    private static CaseResult.Side refuted() {
        Checked checked = new Checked(
                Verdict.REFUTED, TrialOutcome.HAZARD, SHAPE, SHAPE, 4, 1, 1, 5000, null, "emulator-9", false, FINDING);
        return new CaseResult.Side("static 128x128x64", HASH, HASH, TrialOutcome.HAZARD, checked, null, "refuted");
    }

    /** One that is still looked for. */
    public static Retune tuning() {
        return new Retune(Retune.State.TUNING, "a job looks for the fastest kernel", ID, null, null, null);
    }

    /** The case, so far in being tuned again. */
    public static CaseResult retuned(CaseResult of, Retune retune) {
        return with(of, of.waiver(), retune);
    }

    /** The case, accepted by somebody. */
    public static CaseResult waived(CaseResult of) {
        CaseResult.Waiver waiver =
                new CaseResult.Waiver(ID, "gemm", of.name(), HASH, "ann", "needed for f8", START.plusSeconds(86_400));
        return with(of, waiver, null);
    }

    private static CaseResult with(CaseResult of, CaseResult.@Nullable Waiver waiver, @Nullable Retune retune) {
        return new CaseResult(
                of.name(),
                of.problem(),
                of.candidate(),
                of.baseline(),
                of.margins(),
                of.weight(),
                of.accept(),
                of.source(),
                of.verdict(),
                of.reason(),
                of.effect(),
                of.stages(),
                waiver,
                retune);
    }

    /** A finished run on a real GPU. */
    public static GateRun run(@Nullable GateVerdict verdict, CaseResult... cases) {
        return run(verdict, TestbedKind.CUDA, List.of(cases));
    }

    /** A finished run. */
    public static GateRun run(@Nullable GateVerdict verdict, TestbedKind kind, List<CaseResult> cases) {
        return new GateRun(
                ID,
                "gemm",
                GateRun.State.FINISHED,
                "89abcdef0123456789abcdef0123456789abcdef",
                "feature",
                "auto",
                new Testbed(kind, "NVIDIA H200", "580.65", "ptxas 13.0.88", 132, "factory"),
                verdict,
                "said of the run",
                cases,
                List.of(one("sentinel-equal", GateVerdict.PASS, 0.02), one("sentinel-slowed", GateVerdict.FAIL, 2.01)),
                new GateRun.ErrorRates(640, 0, 0.0047, 100, 2, 99, 0.9534),
                12.5,
                120.0,
                60,
                7,
                "1",
                "ci",
                null,
                START,
                START.plusSeconds(40));
    }

    /** A run of which nothing came. */
    public static GateRun failed(String error) {
        return new GateRun(
                ID,
                "gemm",
                GateRun.State.FAILED,
                null,
                null,
                "cuda:0",
                null,
                null,
                null,
                List.of(one("ours/square", null, 0)),
                List.of(),
                null,
                0,
                null,
                null,
                7,
                "1",
                null,
                error,
                START,
                START.plusSeconds(1));
    }

    /** A case of each verdict. */
    public static GateRun ofEverything() {
        return run(
                GateVerdict.INVALID,
                one("ours/pass", GateVerdict.PASS, 0.1),
                one("ours/warn", GateVerdict.WARN, 0.8),
                one("ours/fail", GateVerdict.FAIL, 2.4),
                one("ours/faster", GateVerdict.FASTER, -3),
                one("ours/unclear", GateVerdict.INCONCLUSIVE, 0.9),
                one("ours/same", GateVerdict.UNCHANGED_BINARY, 0),
                one("hand/wrong", GateVerdict.INVALID, 0, "kernels/hand written/gemm.ptx"),
                waived(one("ours/known", GateVerdict.FAIL, 1.7)));
    }

    /** Many cases, of which some fail. */
    public static GateRun many(int failing, int passing) {
        List<CaseResult> cases = IntStream.range(0, failing + passing)
                .mapToObj(i -> i < failing
                        ? one("kernel-with-a-long-name-" + i + "/problem-" + i, GateVerdict.FAIL, 2 + i * 1e-3)
                        : one("kernel-with-a-long-name-" + i + "/problem-" + i, GateVerdict.PASS, 0.1))
                .toList();
        return run(failing > 0 ? GateVerdict.FAIL : GateVerdict.PASS, TestbedKind.CUDA, cases);
    }
}
