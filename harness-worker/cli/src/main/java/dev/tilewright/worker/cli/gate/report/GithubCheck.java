package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.gate.decision.GateExit;
import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.worker.link.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A check run of GitHub, which is neutral where nothing follows. */
record GithubCheck(GateRun run, FailOn failOn) {

    /** GitHub takes no more in one request. */
    private static final int MOST_ANNOTATIONS = 50;

    private static final int MOST_TITLE = 255;
    private static final int MOST_MESSAGE = 4_000;

    String text() {
        List<Judged> told =
                Judged.worstFirst(run, failOn).stream().filter(Judged::isTold).toList();
        Map<String, Object> output = new LinkedHashMap<>();
        output.put(
                "title", GateWords.cut("gate " + run.gate() + " " + new GateWords(run, failOn).verdict(), MOST_TITLE));
        output.put("summary", summary(told.size()));
        output.put(
                "annotations",
                told.stream()
                        .limit(MOST_ANNOTATIONS)
                        .map(GithubCheck::annotation)
                        .toList());
        Map<String, Object> check = new LinkedHashMap<>();
        check.put("name", name(run.gate()));
        // GitHub refuses a check without it: whoever posts it must know the commit where the run does not.
        if (run.commit() != null) {
            check.put("head_sha", run.commit());
        }
        check.put("external_id", run.id().toString());
        check.put("status", "completed");
        check.put("started_at", time(run.createdAt()));
        check.put("completed_at", time(Objects.requireNonNullElse(run.finishedAt(), run.createdAt())));
        check.put("conclusion", conclusion());
        check.put("output", output);
        return Json.pretty().writeValueAsString(check) + "\n";
    }

    /** The name of the check, as branch protection rules refer to it. */
    static String name(String gate) {
        return "tilewright gate " + gate;
    }

    private String summary(int told) {
        String whole = new MarkdownComment(run, failOn).text();
        return told <= MOST_ANNOTATIONS
                ? whole
                : whole + "\n" + (told - MOST_ANNOTATIONS) + " of " + told + " annotations did not fit.\n";
    }

    private String conclusion() {
        return switch (GateExit.of(run, failOn)) {
            case PASS -> "success";
            case INCONCLUSIVE -> "neutral";
            case REGRESSION, INFRASTRUCTURE -> "failure";
        };
    }

    private static Map<String, Object> annotation(Judged one) {
        SourcePosition position = one.position();
        Map<String, Object> annotation = new LinkedHashMap<>();
        annotation.put("path", position.path());
        annotation.put("start_line", position.line());
        annotation.put("end_line", position.line());
        annotation.put("annotation_level", one.fails() ? "failure" : one.passes() ? "notice" : "warning");
        annotation.put("title", GateWords.cut(one.name() + ": " + one.verdict(), MOST_TITLE));
        annotation.put("message", GateWords.cut(one.reason(), MOST_MESSAGE));
        List<String> evidence = one.evidence();
        if (!evidence.isEmpty()) {
            annotation.put("raw_details", GateWords.cut(String.join("\n", evidence), MOST_MESSAGE));
        }
        return annotation;
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
