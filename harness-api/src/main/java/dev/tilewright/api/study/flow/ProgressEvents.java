package dev.tilewright.api.study.flow;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What events say; the name of each is the type of its event. */
public final class ProgressEvents {

    public static final String STUDY_STARTED = "study.started";
    public static final String STUDY_ASKED = "study.asked";
    public static final String TRIAL_FINISHED = "trial.finished";
    public static final String STUDY_RACE = "study.race";
    public static final String STUDY_FINAL = "study.final";
    public static final String STUDY_FINISHED = "study.finished";
    public static final String JOB_FINISHED = "job.finished";

    private ProgressEvents() {}

    /**
     * A device took the study.
     *
     * @param trialBudget how many trials there will be; {@code null} if the study stops by itself
     * @param mostTrials how many there will be at most
     */
    public record StudyStarted(
            UUID studyId,
            Testbed testbed,
            long spaceSize,
            @Nullable Integer trialBudget,
            int mostTrials) {}

    /**
     * The search has answered what comes next.
     *
     * @param about {@code first}, {@code next}, {@code twins} or {@code contenders}
     * @param configs how many it answered with
     */
    public record StudyAsked(UUID studyId, String about, Instant askedAt, Instant answeredAt, int configs) {}

    /**
     * A trial ended.
     *
     * @param tflops of its last stage, sustained; {@code null} if it was not measured
     * @param finished how many trials of the study have ended
     * @param trialBudget how many there will be; {@code null} if the study stops by itself
     * @param bestTflops of the study so far
     */
    public record TrialFinished(
            UUID studyId,
            UUID trialId,
            Config config,
            TrialOutcome outcome,
            @Nullable Double tflops,
            int finished,
            int completed,
            @Nullable Integer trialBudget,
            @Nullable Double bestTflops) {}

    /**
     * The sweep is over.
     *
     * @param contenders how many kernels race for the final
     * @param finalists how many of them reach it at most
     */
    public record StudyRace(UUID studyId, int contenders, int finalists) {}

    /** The race is over: its winners are timed beside the peers. */
    public record StudyFinal(UUID studyId) {}

    /** The study is over. */
    public record StudyFinished(
            UUID studyId,
            String state,
            @Nullable String error,
            @Nullable Double bestTflops) {}

    /** The job is over. */
    public record JobFinished(UUID jobId, String state) {}
}
