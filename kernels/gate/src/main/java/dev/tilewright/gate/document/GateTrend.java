package dev.tilewright.gate.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The effects of a branch over time. It audits what gates let through, and gates nothing. */
public record GateTrend(String gate, String branch, List<Series> series) {

    public GateTrend {
        series = List.copyOf(series);
    }

    /**
     * The effects of a case on one kind of GPU, oldest first.
     *
     * @param changes where their level changed for good; the last ones may be missing yet
     */
    public record Series(@JsonProperty("case") String caseName, String gpu, List<Point> points, List<Change> changes) {

        public Series {
            points = List.copyOf(points);
            changes = List.copyOf(changes);
        }
    }

    /** One run. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Point(
            UUID run, @Nullable String commit, Instant finishedAt, double percent, double low, double high) {}

    /**
     * A change.
     *
     * @param run the first of the new level
     * @param before mean effect before, in percent
     * @param after and from then on
     * @param p of so great a difference anywhere, were there none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Change(UUID run, @Nullable String commit, double before, double after, double p) {}
}
