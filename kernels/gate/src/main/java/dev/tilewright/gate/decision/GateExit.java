package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The exit code of a program that ran a gate. A wrong call is 2, which no run can say. */
public enum GateExit {
    PASS(0),
    REGRESSION(1),
    INCONCLUSIVE(3),
    INFRASTRUCTURE(4);

    private final int code;

    GateExit(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** From which verdict on a gate ends with 1. Written in lower case. */
    public enum FailOn {
        /** A failure. */
        REGRESSION,
        /** A warning too. */
        WARN,
        /** Too: a case that could not be told, on an instrument that can be trusted. */
        INCONCLUSIVE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The exit of a run that is over: of what holds the first of 4, 1, 3, 0.
     *
     * @throws IllegalArgumentException if the run is not over
     */
    public static GateExit of(GateRun run, FailOn failOn) {
        if (!run.state().isOver()) {
            throw new IllegalArgumentException("the run is " + run.state() + ": it has no exit code yet");
        }
        if (run.state() != GateRun.State.FINISHED || run.verdict() == null) {
            return INFRASTRUCTURE;
        }
        RunDecision decision = RunDecision.of(run);
        if (decision.verdict() == GateVerdict.INVALID) {
            return REGRESSION;
        }
        if (decision.trusted()) {
            return of(run.cases(), failOn);
        }
        List<CaseResult> programs =
                run.cases().stream().filter(CaseResult::isOfProgram).toList();
        return of(programs, failOn) == REGRESSION ? REGRESSION : INCONCLUSIVE;
    }

    /** The exit code that one case contributes, for reports that list each case. */
    public static GateExit of(GateRun run, CaseResult one, FailOn failOn) {
        GateVerdict verdict = one.verdict();
        if (run.state() != GateRun.State.FINISHED || verdict == null) {
            return INFRASTRUCTURE;
        }
        return switch (verdict) {
            case INVALID -> REGRESSION;
            case UNCHANGED_BINARY -> of(List.of(one), failOn);
            case PASS, WARN, FAIL, FASTER, INCONCLUSIVE ->
                one.isOfProgram() || RunDecision.of(run).trusted() ? of(List.of(one), failOn) : INCONCLUSIVE;
        };
    }

    private static GateExit of(List<CaseResult> cases, FailOn failOn) {
        Set<GateVerdict> verdicts = EnumSet.noneOf(GateVerdict.class);
        cases.forEach(each -> verdicts.add(RunDecision.verdict(each)));
        boolean regressed = verdicts.contains(GateVerdict.FAIL)
                || verdicts.contains(GateVerdict.WARN) && failOn != FailOn.REGRESSION
                || verdicts.contains(GateVerdict.INCONCLUSIVE) && failOn == FailOn.INCONCLUSIVE;
        if (regressed) {
            return REGRESSION;
        }
        return verdicts.contains(GateVerdict.INCONCLUSIVE) ? INCONCLUSIVE : PASS;
    }
}
