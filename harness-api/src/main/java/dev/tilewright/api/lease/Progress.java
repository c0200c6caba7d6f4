package dev.tilewright.api.lease;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What events say; the name of each is the type of its event. */
final class Progress {

    static final String STUDY_STARTED = "study.started";
    static final String TRIAL_FINISHED = "trial.finished";
    static final String STUDY_FINAL = "study.final";
    static final String STUDY_FINISHED = "study.finished";
    static final String JOB_FINISHED = "job.finished";

    private Progress() {}

    /** A device took the study. */
    record StudyStarted(UUID studyId, Testbed testbed, long spaceSize, int trialBudget) {}

    /**
     * A trial ended.
     *
     * @param tflops of its last stage, sustained; {@code null} if it was not measured
     * @param finished how many trials of the study have ended
     * @param bestTflops of the study so far
     */
    record TrialFinished(
            UUID studyId,
            UUID trialId,
            Config config,
            TrialOutcome outcome,
            @Nullable Double tflops,
            int finished,
            int completed,
            int trialBudget,
            @Nullable Double bestTflops) {}

    /** The finalists are known. */
    record StudyFinal(UUID studyId, int contenders, int finalists) {}

    /** The study is over. */
    record StudyFinished(
            UUID studyId,
            String state,
            @Nullable String error,
            @Nullable Double bestTflops) {}

    /** The job is over. */
    record JobFinished(UUID jobId, String state) {}
}
