package dev.tilewright.api.retention;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How long things are kept after they are over. {@code null} keeps them for ever.
 *
 * @param evidence the raw evidence of studies that are over: their results stay
 * @param finished jobs that finished
 * @param failed jobs of which every study ended with an error
 * @param cancelled jobs that were cancelled
 * @param comparisons comparisons and checks of texts that are over
 * @param checks what builds of the emulator before the newest said of the texts of trials
 */
@ConfigurationProperties("tilewright.retention")
record RetentionSettings(
        @Nullable Duration evidence,
        @Nullable Duration finished,
        @Nullable Duration failed,
        @Nullable Duration cancelled,
        @Nullable Duration comparisons,
        @Nullable Duration checks) {

    /** Shortest retention: a result is still there on the next day. */
    private static final Duration SHORTEST = Duration.ofDays(1);

    RetentionSettings {
        Map<String, Duration> given = new TreeMap<>();
        put(given, "evidence", evidence);
        put(given, "finished", finished);
        put(given, "failed", failed);
        put(given, "cancelled", cancelled);
        put(given, "comparisons", comparisons);
        put(given, "checks", checks);
        given.forEach((name, age) -> {
            if (age.compareTo(SHORTEST) < 0) {
                throw new IllegalArgumentException(
                        "tilewright.retention." + name + " must be at least 1 day, got " + age);
            }
        });
        if (evidence != null && finished != null && evidence.compareTo(finished) > 0) {
            throw new IllegalArgumentException("tilewright.retention.evidence (" + evidence
                    + ") must be at most tilewright.retention.finished (" + finished
                    + "): raw evidence goes before results");
        }
    }

    /** Whether anything is deleted that may be of a study whose result is served. */
    boolean spareTheServed() {
        return Stream.of(evidence, finished, failed, cancelled).anyMatch(Objects::nonNull);
    }

    private static void put(Map<String, Duration> given, String name, @Nullable Duration age) {
        if (age != null) {
            given.put(name, age);
        }
    }
}
