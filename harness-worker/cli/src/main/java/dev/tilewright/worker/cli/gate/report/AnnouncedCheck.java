package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.model.text.Count;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.text.PlainText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A check run of GitHub that stands while its gate runs: a machine that is lost leaves it in progress, and what it is
 * required for waits. Whoever writes the report of the run into its file completes it.
 *
 * @param name of the check
 * @param externalId by which it is known, from its beginning to its end
 */
public record AnnouncedCheck(String name, String externalId, String startedAt) {

    private static final int MOST_NAMES = 20;

    /** The body of {@code POST /repos/OWNER/REPO/check-runs} before the gate runs. */
    public static String text(String gate, List<String> cases, String commit, UUID externalId, Instant now) {
        Map<String, Object> check = new LinkedHashMap<>();
        check.put("name", GithubCheck.name(gate));
        check.put("head_sha", commit);
        check.put("external_id", externalId.toString());
        check.put("status", "in_progress");
        check.put("started_at", time(now));
        String more = cases.size() > MOST_NAMES ? " and " + (cases.size() - MOST_NAMES) + " more" : "";
        check.put(
                "output",
                Map.of(
                        "title",
                        "gate " + gate + " has begun",
                        "summary",
                        Count.of(cases.size(), "case") + ": "
                                + PlainText.line(String.join(
                                        ", ", cases.stream().limit(MOST_NAMES).toList()))
                                + more));
        return Json.pretty().writeValueAsString(check) + "\n";
    }

    /** The one that stands in a file; empty if there is none, or nothing that is still to be completed. */
    public static Optional<AnnouncedCheck> in(Path file) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            JsonNode check = Json.mapper().readTree(Files.readString(file));
            return check.at("/status").asString("").equals("in_progress")
                    ? Optional.of(new AnnouncedCheck(
                            check.at("/name").asString(),
                            check.at("/external_id").asString(),
                            check.at("/started_at").asString()))
                    : Optional.empty();
        } catch (IOException | JacksonException another) {
            return Optional.empty();
        }
    }

    /** The report of its run as {@code PATCH .../check-runs/ID} takes it: that knows the commit already. */
    public String completed(String report) {
        ObjectNode check = (ObjectNode) Json.mapper().readTree(report);
        check.remove("head_sha");
        check.put("external_id", externalId).put("started_at", startedAt);
        return Json.pretty().writeValueAsString(check) + "\n";
    }

    /** The same where the gate ended before it had a verdict. */
    public String failed(String why, Instant now) {
        Map<String, Object> check = new LinkedHashMap<>();
        check.put("name", name);
        check.put("external_id", externalId);
        check.put("status", "completed");
        check.put("started_at", startedAt);
        check.put("completed_at", time(now));
        check.put("conclusion", "failure");
        check.put("output", Map.of("title", "the gate ended without a verdict", "summary", PlainText.line(why)));
        return Json.pretty().writeValueAsString(check) + "\n";
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
