package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.gate.decision.GateExit;
import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.worker.link.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Code quality as GitLab reads it: a list of issues, each with a fingerprint that says whether it is new. */
record GitlabQuality(GateRun run, FailOn failOn) {

    String text() {
        List<Map<String, Object>> issues = Judged.worstFirst(run, failOn).stream()
                .filter(one -> one.isTold() && !one.isWaived())
                .map(GitlabQuality::issue)
                .toList();
        if (issues.isEmpty() && GateExit.of(run, failOn) != GateExit.PASS) {
            issues = List.of(ofTheRun());
        }
        return Json.pretty().writeValueAsString(issues) + "\n";
    }

    /** No issue would read as a pass. */
    private Map<String, Object> ofTheRun() {
        String reason = new GateWords(run, failOn).reason();
        return issue(
                "gate " + run.gate() + ": " + reason,
                run.state().toString(),
                Sha256.hex(run.gate() + "\n" + reason),
                "major",
                SourcePosition.GATE_FILE);
    }

    private static Map<String, Object> issue(Judged one) {
        return issue(one.name() + ": " + one.reason(), one.verdict(), one.fingerprint(), severity(one), one.position());
    }

    private static Map<String, Object> issue(
            String description, String check, String fingerprint, String severity, SourcePosition position) {
        Map<String, Object> issue = new LinkedHashMap<>();
        issue.put("description", description);
        issue.put("check_name", "tilewright/" + check);
        issue.put("fingerprint", fingerprint);
        issue.put("severity", severity);
        issue.put("location", Map.of("path", position.path(), "lines", Map.of("begin", position.line())));
        return issue;
    }

    private static String severity(Judged one) {
        GateVerdict verdict = Objects.requireNonNullElse(one.result().verdict(), GateVerdict.INCONCLUSIVE);
        return switch (verdict) {
            case INVALID -> "blocker";
            case FAIL -> one.fails() ? "critical" : "info";
            case WARN -> one.fails() ? "major" : "minor";
            case INCONCLUSIVE -> one.fails() ? "major" : "info";
            case PASS, FASTER, UNCHANGED_BINARY -> one.passes() ? "info" : "major";
        };
    }
}
