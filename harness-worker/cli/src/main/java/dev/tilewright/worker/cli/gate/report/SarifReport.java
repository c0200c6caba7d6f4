package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.gate.decision.GateExit;
import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.worker.link.json.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * SARIF 2.1.0: a rule for each verdict, a result for each case that is not a plain pass. What the emulator has found is
 * a result of its own, at its line of the PTX.
 */
record SarifReport(GateRun run, FailOn failOn) {

    private static final String SCHEMA =
            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

    String text() {
        Map<String, Object> invocation = new LinkedHashMap<>();
        invocation.put("executionSuccessful", run.state() == GateRun.State.FINISHED);
        invocation.put("exitCode", GateExit.of(run, failOn).code());
        invocation.put("startTimeUtc", run.createdAt().toString());
        if (run.finishedAt() != null) {
            invocation.put("endTimeUtc", run.finishedAt().toString());
        }
        invocation.put(
                "toolExecutionNotifications",
                List.of(Map.of(
                        "level",
                        GateExit.of(run, failOn) == GateExit.PASS ? "note" : "error",
                        "message",
                        message(new GateWords(run, failOn).verdict() + ": " + new GateWords(run, failOn).reason()))));
        List<GateVerdict> verdicts = List.of(GateVerdict.values());
        Map<String, Object> driver = new LinkedHashMap<>();
        driver.put("name", "tilewright gate");
        driver.put("semanticVersion", run.schemaVersion() + ".0.0");
        driver.put("rules", verdicts.stream().map(SarifReport::rule).toList());
        Map<String, Object> tool = Map.of("driver", driver);
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put("tool", tool);
        whole.put(
                "automationDetails",
                Map.of(
                        "id",
                        "tilewright-gate/" + run.gate() + "/" + run.id(),
                        "guid",
                        run.id().toString()));
        whole.put("invocations", List.of(invocation));
        whole.put(
                "results",
                Judged.worstFirst(run, failOn).stream()
                        .filter(Judged::isTold)
                        .flatMap(this::results)
                        .toList());
        Map<String, Object> log = new LinkedHashMap<>();
        log.put("$schema", SCHEMA);
        log.put("version", "2.1.0");
        log.put("runs", List.of(whole));
        return Json.pretty().writeValueAsString(log) + "\n";
    }

    private static Map<String, Object> rule(GateVerdict verdict) {
        Map<String, Object> rule = new LinkedHashMap<>();
        rule.put("id", id(verdict));
        rule.put("name", name(verdict));
        rule.put("shortDescription", message(meaning(verdict)));
        rule.put("fullDescription", message(meaning(verdict)));
        rule.put("defaultConfiguration", Map.of("level", level(verdict)));
        return rule;
    }

    private static String id(GateVerdict verdict) {
        return "tilewright/" + verdict.toString().replace('_', '-');
    }

    private static String name(GateVerdict verdict) {
        return Arrays.stream(verdict.toString().split("_"))
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .reduce("", String::concat);
    }

    private static String meaning(GateVerdict verdict) {
        return switch (verdict) {
            case PASS -> "The kernel is slower than its baseline by less than the margin that fails.";
            case WARN -> "The kernel is slower than its baseline by more than the margin that warns.";
            case FAIL ->
                "The kernel is slower than its baseline by more than the margin that fails, in two processes; or the"
                        + " program is, in one comparison.";
            case FASTER -> "The kernel is faster than its baseline.";
            case INCONCLUSIVE -> "The blocks do not suffice for a verdict, or the instrument is not to be trusted.";
            case UNCHANGED_BINARY -> "The kernel is that of its baseline.";
            case INVALID -> "The kernel computes something else, was refuted, or does not run; or the program fails.";
        };
    }

    private static String level(GateVerdict verdict) {
        return switch (verdict) {
            case FAIL, INVALID -> "error";
            case WARN, INCONCLUSIVE -> "warning";
            case PASS, FASTER, UNCHANGED_BINARY -> "none";
        };
    }

    private Stream<Map<String, Object>> results(Judged one) {
        SourcePosition source = one.source().orElse(SourcePosition.GATE_FILE);
        Map<String, Object> own = result(one, source, one.name() + ": " + one.reason());
        Stream<Map<String, Object>> found = one.findings().map(finding -> {
            Map<String, Object> result = result(one, finding.position(), one.name() + ": " + finding.text());
            result.put("relatedLocations", List.of(location(source)));
            return result;
        });
        return Stream.concat(found, Stream.of(own));
    }

    private Map<String, Object> result(Judged one, SourcePosition position, String text) {
        GateVerdict verdict = Objects.requireNonNullElse(one.result().verdict(), GateVerdict.INCONCLUSIVE);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("ruleId", id(verdict));
        result.put("ruleIndex", verdict.ordinal());
        result.put("level", one.fails() ? "error" : "warning");
        result.put("message", message(text));
        result.put("locations", List.of(location(position)));
        result.put("partialFingerprints", Map.of("tilewrightCase/v1", one.fingerprint()));
        if (one.result().waiver() != null && one.isWaived()) {
            result.put(
                    "suppressions",
                    List.of(Map.of(
                            "kind",
                            "external",
                            "status",
                            "accepted",
                            "justification",
                            one.result().waiver().reason())));
        }
        if (one.result().effect() != null) {
            result.put("properties", Map.of("effect", one.result().effect()));
        }
        return result;
    }

    private static Map<String, Object> location(SourcePosition position) {
        return Map.of(
                "physicalLocation",
                Map.of(
                        "artifactLocation",
                        Map.of("uri", uri(position.path())),
                        "region",
                        Map.of("startLine", position.line())));
    }

    /** A path as the relative URI that it is, with what has another meaning there written out. */
    private static String uri(String path) {
        try {
            return new URI(null, null, path, null).toASCIIString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("a path is always a URI", impossible);
        }
    }

    private static Map<String, Object> message(String text) {
        return Map.of("text", text);
    }
}
