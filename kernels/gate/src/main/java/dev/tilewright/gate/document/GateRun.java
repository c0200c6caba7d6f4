package dev.tilewright.gate.document;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tilewright.model.trial.Testbed;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run of a gate: the one result document that all reports are written from. {@code docs/gate-run.schema.json}
 * describes it.
 *
 * @param gate its name
 * @param device that was asked for
 * @param testbed the GPU that has it; {@code null} before one has
 * @param verdict {@code null} before all cases have theirs
 * @param reason why, in one sentence
 * @param sentinels cases of the service itself: one that must not differ, one that must fail
 * @param errorRates how often the instrument was wrong on such a GPU; {@code null} where that was never measured
 * @param gpuSeconds that the GPU was held for it
 * @param retuneSeconds that cases which fail may be tuned again for; {@code null} if none is
 * @param decision which version of the rules decided
 * @param error why there is no verdict; {@code null} if there is one, or will be
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GateRun(
        UUID id,
        String gate,
        State state,
        @Nullable String commit,
        @Nullable String branch,
        String device,
        @Nullable Testbed testbed,
        @Nullable GateVerdict verdict,
        @Nullable String reason,
        List<CaseResult> cases,
        List<CaseResult> sentinels,
        @Nullable ErrorRates errorRates,
        double gpuSeconds,
        @Nullable Double budgetSeconds,
        @Nullable Integer retuneSeconds,
        long seed,
        String decision,
        @Nullable String submittedBy,
        @Nullable String error,
        Instant createdAt,
        @Nullable Instant finishedAt) {

    public GateRun {
        cases = List.copyOf(cases);
        sentinels = List.copyOf(sentinels);
    }

    /**
     * Within one version properties may be added, never removed and never given another meaning. Cases of programs lack
     * a {@code problem}; runs of a service have none of them.
     */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public int schemaVersion() {
        return 1;
    }

    /** The same with these cases, and the verdict on them. */
    public GateRun with(List<CaseResult> all, @Nullable GateVerdict other, @Nullable String why) {
        return new GateRun(
                id,
                gate,
                state,
                commit,
                branch,
                device,
                testbed,
                other,
                why,
                all,
                sentinels,
                errorRates,
                gpuSeconds,
                budgetSeconds,
                retuneSeconds,
                seed,
                decision,
                submittedBy,
                error,
                createdAt,
                finishedAt);
    }

    /** Whether it is of programs alone, and no service knows it. */
    @JsonIgnore
    public boolean isOfPrograms() {
        return !cases.isEmpty() && cases.stream().allMatch(CaseResult::isOfProgram);
    }

    /** Whether a case of it is still tuned again. Its verdict is known by then, and stays. */
    @JsonIgnore
    public boolean isRetuning() {
        return cases.stream()
                .map(CaseResult::retune)
                .anyMatch(retune -> retune != null && !retune.state().isOver());
    }

    /** How far a run is. Written in lower case. */
    public enum State {
        QUEUED,
        RUNNING,
        FINISHED,
        /** No GPU, no worker, or the service is at fault. */
        FAILED,
        CANCELLED;

        public boolean isOver() {
            return switch (this) {
                case QUEUED, RUNNING -> false;
                case FINISHED, FAILED, CANCELLED -> true;
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How often the instrument was wrong, seen on this kind of GPU.
     *
     * @param equalRuns cases that were timed against themselves
     * @param falseFails of these
     * @param falseFailUpperBound of their share, one-sided at 95 %
     * @param slowedRuns cases with a twin slowed by {@code slowedPercent}
     * @param caught of these
     * @param caughtLowerBound of their share, one-sided at 95 %
     */
    public record ErrorRates(
            int equalRuns,
            int falseFails,
            double falseFailUpperBound,
            int slowedRuns,
            double slowedPercent,
            int caught,
            double caughtLowerBound) {}
}
