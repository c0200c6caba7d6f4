package dev.tilewright.api.study;

import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.StudyState;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.space.SpaceSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A study as Postgres has it.
 *
 * @param options of its job, or its own
 * @param ofRange the range of M that it serves; {@code null} if none
 * @param testbedId with the testbed, the build of the family, the space and the start: {@code null} until a device took
 *     it
 * @param anchor that all its trials are timed beside; {@code null} if the family declares none, or before
 * @param exhausted whether nothing more will be asked
 * @param accepted whether a worker ever did some
 * @param error why it could not be carried out
 * @param evidenceDeletedAt when its raw evidence was deleted; {@code null} if it was not
 */
public record StudyRow(
        UUID id,
        UUID jobId,
        Problem problem,
        JobOptions options,
        StudyDocument.@Nullable OfRange ofRange,
        StudyState state,
        @Nullable UUID testbedId,
        @Nullable Testbed testbed,
        @Nullable String familyBuild,
        @Nullable String spaceHash,
        @Nullable SpaceSummary space,
        @Nullable Config anchor,
        @Nullable Instant startedAt,
        boolean exhausted,
        boolean accepted,
        @Nullable String error,
        @Nullable Instant finishedAt,
        @Nullable Instant evidenceDeletedAt) {

    /** A study that a device has taken: what is {@code null} before is there now. */
    public Bound bound() {
        if (testbedId == null || testbed == null || familyBuild == null || spaceHash == null || startedAt == null) {
            throw new IllegalStateException("study " + id + " has no testbed yet");
        }
        return new Bound(testbed, familyBuild, spaceHash);
    }

    /** When it has spent its budget. */
    public Spending spending() {
        return new Spending(options.budget());
    }

    /** The most trials that it may have: what its budget allows, of a space that may be smaller. */
    public int mostTrials() {
        return spending().mostTrials(space);
    }

    /** Whether its budget limits its time. */
    public boolean isTimed() {
        return options.budget().seconds() != null;
    }

    /**
     * Whether the time of the budget is over.
     *
     * @param worked time in which devices worked on this study
     */
    public boolean isOutOfTime(Duration worked) {
        Integer seconds = options.budget().seconds();
        return seconds != null && worked.compareTo(Duration.ofSeconds(seconds)) >= 0;
    }

    /** Facts that the first lease fixed. */
    public record Bound(Testbed testbed, String familyBuild, String spaceHash) {}
}
