package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.trial.TestbedKind;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How a run of a gate ends for whoever asked: the exit code of the command, the conclusion of every report. It follows
 * from the document alone.
 */
public enum GateExit {
    PASS(0),
    /** Slower than may be, or a wrong result. */
    REGRESSION(1),
    /** What was asked for cannot be: no document says so, only whoever reads the question. */
    USAGE(2),
    INCONCLUSIVE(3),
    /** There is no verdict: no GPU, no worker, no service, or somebody has cancelled it. */
    INFRASTRUCTURE(4);

    private final int code;

    GateExit(int code) {
        this.code = code;
    }

    /** Of the process. */
    public int code() {
        return code;
    }

    /** The mildest verdict that ends as a {@link GateExit#REGRESSION}. Written in lower case. */
    public enum FailOn {
        REGRESSION,
        WARN,
        /** Of these too, but only where something was measured. */
        INCONCLUSIVE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The end of a whole run: of all that hold, the first of 2, 4, 1, 3, 0. No case, or a GPU that is not real, is
     * never a pass; nor is a case without counted blocks or equal hashes.
     */
    public static GateExit of(GateRun run, FailOn failOn) {
        if (run.state() != GateRun.State.FINISHED || run.verdict() == null) {
            return INFRASTRUCTURE;
        }
        Set<GateExit> all = EnumSet.of(ofVerdict(run, failOn));
        if (run.cases().isEmpty() || !isReal(run)) {
            all.add(INCONCLUSIVE);
        }
        run.cases().forEach(one -> all.add(of(run, one, failOn)));
        return Stream.of(USAGE, INFRASTRUCTURE, REGRESSION, INCONCLUSIVE, PASS)
                .filter(all::contains)
                .findFirst()
                .orElseThrow();
    }

    /** The end of one of its cases. */
    public static GateExit of(GateRun run, CaseResult one, FailOn failOn) {
        return switch (one.verdict()) {
            case null -> INFRASTRUCTURE;
            case INVALID -> REGRESSION;
            case INCONCLUSIVE -> hasBlocks(one) ? unless(failOn == FailOn.INCONCLUSIVE, INCONCLUSIVE) : INCONCLUSIVE;
            case UNCHANGED_BINARY -> hasOneBinary(one) ? PASS : INCONCLUSIVE;
            case PASS, FASTER -> hasBlocks(one) ? PASS : INCONCLUSIVE;
            case WARN -> !hasBlocks(one) ? INCONCLUSIVE : unless(failOn != FailOn.REGRESSION && !isWaived(one), PASS);
            case FAIL -> {
                // An instrument that fails its own sentinels says nothing of a case either.
                if (!hasBlocks(one) || run.verdict() == GateVerdict.INCONCLUSIVE) {
                    yield INCONCLUSIVE;
                }
                yield isWaived(one) ? PASS : REGRESSION;
            }
        };
    }

    /** What the verdict of the run adds to those of its cases. */
    private static GateExit ofVerdict(GateRun run, FailOn failOn) {
        return switch (run.verdict()) {
            case null -> INFRASTRUCTURE;
            case INCONCLUSIVE ->
                unless(
                        failOn == FailOn.INCONCLUSIVE && run.cases().stream().anyMatch(GateExit::hasBlocks),
                        INCONCLUSIVE);
            case FAIL, INVALID -> run.cases().stream().anyMatch(GateExit::fails) ? PASS : REGRESSION;
            case PASS, WARN, FASTER, UNCHANGED_BINARY -> PASS;
        };
    }

    private static GateExit unless(boolean regression, GateExit otherwise) {
        return regression ? REGRESSION : otherwise;
    }

    private static boolean fails(CaseResult one) {
        return one.verdict() == GateVerdict.FAIL || one.verdict() == GateVerdict.INVALID;
    }

    private static boolean isWaived(CaseResult one) {
        return one.waiver() != null;
    }

    private static boolean hasBlocks(CaseResult one) {
        return one.stages().stream().anyMatch(stage -> stage.counted() > 0);
    }

    private static boolean hasOneBinary(CaseResult one) {
        String hash = one.candidate().cubinHash();
        return hash != null && hash.equals(one.baseline().cubinHash());
    }

    private static boolean isReal(GateRun run) {
        return run.testbed() == null
                ? !run.device().startsWith("simulated") && !run.device().startsWith("emulated")
                : run.testbed().kind() == TestbedKind.CUDA;
    }
}
