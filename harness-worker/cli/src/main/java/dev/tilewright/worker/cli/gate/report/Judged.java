package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.gate.decision.GateExit;
import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.worker.link.text.PlainText;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A case with how it ends.
 *
 * @param gate name of the gate
 */
record Judged(String gate, CaseResult result, GateExit exit) {

    /** Order of cases: the worst first. */
    private static final Comparator<Judged> WORST_FIRST = Comparator.<Judged, Integer>comparing(
                    one -> switch (one.exit()) {
                        case INFRASTRUCTURE -> 0;
                        case REGRESSION -> 1;
                        case INCONCLUSIVE -> 2;
                        case PASS -> 3;
                    })
            .thenComparing(one -> -Math.abs(one.percent()));

    /** All cases of a run, in the order of the run. */
    static List<Judged> of(GateRun run, FailOn failOn) {
        return run.cases().stream()
                .map(one -> new Judged(run.gate(), one, GateExit.of(run, one, failOn)))
                .toList();
    }

    static List<Judged> worstFirst(GateRun run, FailOn failOn) {
        return of(run, failOn).stream().sorted(WORST_FIRST).toList();
    }

    private double percent() {
        return result.effect() == null ? 0 : result.effect().percent();
    }

    String name() {
        return result.name();
    }

    boolean fails() {
        return exit == GateExit.REGRESSION || exit == GateExit.INFRASTRUCTURE;
    }

    boolean passes() {
        return exit == GateExit.PASS;
    }

    String verdict() {
        return result.verdict() == null ? "none" : result.verdict().toString();
    }

    /** Whether somebody has accepted what would otherwise be reported. */
    boolean isWaived() {
        return result.waiver() != null
                && (result.verdict() == GateVerdict.FAIL || result.verdict() == GateVerdict.WARN);
    }

    /** Whether a system that looks for what is wrong hears of it. */
    boolean isTold() {
        return !passes() || isWaived() || result.verdict() == GateVerdict.WARN;
    }

    /** Where its reader looks first: at a finding, else at its source. */
    SourcePosition position() {
        return findings().map(PtxFinding::position).findFirst().or(this::source).orElse(SourcePosition.GATE_FILE);
    }

    /** The result of tuning a failed case again; empty if the case did not fail. */
    Optional<String> retuned() {
        return Optional.ofNullable(result.retune())
                .map(retune -> retune.words() + ": " + PlainText.line(retune.reason())
                        + (retune.job() == null ? "" : " (job " + retune.job() + ")"));
    }

    /** Why, on one line. */
    String reason() {
        String said = result.reason().isBlank()
                ? "there is no verdict"
                : PlainText.line(result.reason().strip());
        String retuned = result.retune() == null ? "" : "; " + result.retune().words();
        return isWaived() && result.waiver() != null
                ? said + "; waived by " + PlainText.line(result.waiver().author()) + " until "
                        + result.waiver().expiresAt() + ": "
                        + PlainText.line(result.waiver().reason()) + retuned
                : said + retuned;
    }

    /** The same of the case wherever it is told, so that a system knows one that it has seen before. */
    String fingerprint() {
        return Sha256.hex(gate + "\n" + name() + "\n" + verdict());
    }

    Optional<SourcePosition> source() {
        return Optional.ofNullable(result.source()).map(SourcePosition::parse);
    }

    /** Findings of the emulator in texts that it has refuted. */
    Stream<PtxFinding> findings() {
        return Stream.of(result.candidate(), result.baseline())
                .filter(side -> side.checked() != null && side.checked().verdict() == Verdict.REFUTED)
                .map(side -> PtxFinding.of(side, source().filter(_ -> side == result.candidate())));
    }

    /** Further lines of evidence: findings, what the GPU said, what tuning again would bring. */
    List<String> evidence() {
        return Stream.of(
                        findings().map(PtxFinding::text),
                        Stream.of(result.candidate(), result.baseline())
                                .filter(side -> !side.log().isBlank())
                                .flatMap(side -> side.log().lines()),
                        result.stages().stream().flatMap(stage -> stage.discards().stream()),
                        retuned().stream())
                .flatMap(lines -> lines)
                .map(PlainText::line)
                .filter(line -> !line.isBlank())
                .distinct()
                .toList();
    }
}
