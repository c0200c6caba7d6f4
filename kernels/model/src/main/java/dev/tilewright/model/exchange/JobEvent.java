package dev.tilewright.model.exchange;

import dev.tilewright.model.range.RangePhase;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An event of a job. {@code GET /jobs/{id}/events} names each event by its {@link #type}; its data are the record. */
public sealed interface JobEvent {

    String JOB_CREATED = "job.created";
    String STUDY_STARTED = "study.started";
    String STUDY_ASKED = "study.asked";
    String TRIAL_FINISHED = "trial.finished";
    String STUDY_RACE = "study.race";
    String STUDY_FINAL = "study.final";
    String STUDY_FINISHED = "study.finished";
    String RANGE_PHASE = "range.phase";
    String JOB_FINISHED = "job.finished";
    String JOB_CANCELLED = "job.cancelled";

    /** The name of its kind. */
    String type();

    /** The record of a type; empty of one that only a newer service knows. */
    static Optional<Class<? extends JobEvent>> named(String type) {
        return Optional.ofNullable(
                switch (type) {
                    case JOB_CREATED -> JobCreated.class;
                    case STUDY_STARTED -> StudyStarted.class;
                    case STUDY_ASKED -> StudyAsked.class;
                    case TRIAL_FINISHED -> TrialFinished.class;
                    case STUDY_RACE -> StudyRace.class;
                    case STUDY_FINAL -> StudyFinal.class;
                    case STUDY_FINISHED -> StudyFinished.class;
                    case RANGE_PHASE -> RangeMoved.class;
                    case JOB_FINISHED, JOB_CANCELLED -> JobEnded.class;
                    default -> null;
                });
    }

    /** One of a study of the job. */
    sealed interface OfStudy extends JobEvent {

        UUID studyId();
    }

    /** @param studies how many the job has */
    record JobCreated(UUID jobId, int studies) implements JobEvent {
        @Override
        public String type() {
            return JOB_CREATED;
        }
    }

    /**
     * A range of M has come to its next phase.
     *
     * @param range its index among the ranges of the job
     * @param studies of this phase, in the order of their M; none where it is over
     */
    record RangeMoved(int range, RangePhase phase, List<Added> studies) implements JobEvent {

        /** A study that the job did not have before. */
        public record Added(UUID id, ProblemDocument problem) {}

        @Override
        public String type() {
            return RANGE_PHASE;
        }
    }

    /**
     * A device took the study.
     *
     * @param trialBudget how many trials there will be; {@code null} if the study stops by itself
     * @param mostTrials how many there will be at most
     */
    record StudyStarted(
            UUID studyId,
            Testbed testbed,
            long spaceSize,
            @Nullable Integer trialBudget,
            int mostTrials) implements OfStudy {
        @Override
        public String type() {
            return STUDY_STARTED;
        }
    }

    /**
     * The search has answered what comes next.
     *
     * @param about {@code first}, {@code next}, {@code twins} or {@code contenders}
     * @param configs how many it answered with
     */
    record StudyAsked(UUID studyId, String about, Instant askedAt, Instant answeredAt, int configs) implements OfStudy {
        @Override
        public String type() {
            return STUDY_ASKED;
        }
    }

    /**
     * A trial ended.
     *
     * @param tflops of its last stage, sustained; {@code null} if it was not measured
     * @param finished how many trials of the study have ended
     * @param trialBudget how many there will be; {@code null} if the study stops by itself
     * @param fastestScreenTflops the highest rate of the screens of the study so far; no rate of the final
     */
    record TrialFinished(
            UUID studyId,
            UUID trialId,
            Config config,
            TrialOutcome outcome,
            @Nullable Double tflops,
            int finished,
            int completed,
            @Nullable Integer trialBudget,
            @Nullable Double fastestScreenTflops)
            implements OfStudy {
        @Override
        public String type() {
            return TRIAL_FINISHED;
        }
    }

    /**
     * The sweep is over.
     *
     * @param contenders how many kernels race for the final
     * @param finalists how many of them reach it at most
     */
    record StudyRace(UUID studyId, int contenders, int finalists) implements OfStudy {
        @Override
        public String type() {
            return STUDY_RACE;
        }
    }

    /** The race is over: its winners are timed beside the peers. */
    record StudyFinal(UUID studyId) implements OfStudy {
        @Override
        public String type() {
            return STUDY_FINAL;
        }
    }

    /**
     * The study is over.
     *
     * @param error why it could not be carried out
     * @param bestTflops {@code null} if nothing may be called best
     * @param bestStage in which that was timed; {@code null} likewise
     */
    record StudyFinished(
            UUID studyId,
            StudyState state,
            @Nullable String error,
            @Nullable Double bestTflops,
            @Nullable Stage bestStage)
            implements OfStudy {
        @Override
        public String type() {
            return STUDY_FINISHED;
        }
    }

    /** The job is over: the last event. */
    record JobEnded(UUID jobId, StudyState state) implements JobEvent {
        @Override
        public String type() {
            return state == StudyState.CANCELLED ? JOB_CANCELLED : JOB_FINISHED;
        }
    }
}
