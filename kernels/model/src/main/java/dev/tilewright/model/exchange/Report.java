package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The result of a lease. A second report of the same lease changes nothing. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Report.Screened.class, name = "screened"),
    @JsonSubTypes.Type(value = Report.Finished.class, name = "finished"),
    @JsonSubTypes.Type(value = Report.Ran.class, name = "ran"),
    @JsonSubTypes.Type(value = Report.Refused.class, name = "refused")
})
public sealed interface Report {

    /** The fence of the lease. */
    long fence();

    /**
     * Outcome of {@link Work.Screen}.
     *
     * @param fence of the lease
     * @param result what came of the trial
     * @param files of the kernel; {@code null} if it was not assembled, or they are too large
     */
    record Screened(
            long fence, TrialResult result, @Nullable KernelFiles files) implements Report {

        /** Of a trial without a kernel. */
        public Screened(long fence, TrialResult result) {
            this(fence, result, null);
        }
    }

    /**
     * Outcome of {@link Work.Final}.
     *
     * @param fence of the lease
     * @param result of the final
     */
    record Finished(long fence, @JsonUnwrapped FinalResult result) implements Report {}

    /**
     * Outcome of {@link Work.Run}.
     *
     * @param fence of the lease
     * @param result what came of the task
     */
    record Ran(long fence, GpuTaskResult result) implements Report {}

    /**
     * The worker cannot do this work; the lease goes back to the queue and no attempt is counted.
     *
     * @param fence of the lease
     * @param reason why, for people
     */
    record Refused(long fence, String reason) implements Report {

        private static final String STOPPING = "worker is stopping";

        /** The report of a worker that stops and gives its work back. */
        public static Refused ofStoppingWorker(long fence) {
            return new Refused(fence, STOPPING);
        }

        /** Whether the worker stops: it could do the work, and nothing is held against it. */
        public boolean saysThatTheWorkerStops() {
            return reason.equals(STOPPING);
        }
    }

    /**
     * A kernel in a final.
     *
     * @param name unique in the final: the id of the trial, or the family and config of a peer
     * @param trialId {@code null} for a peer
     * @param family of the kernel, or the name of the peer
     * @param config of the kernel
     * @param outcome of its part in the final
     * @param errorRatio largest error over its bound; {@code null} if no comparison was made
     * @param measurements summaries of its timed runs
     * @param log what a person needs to understand the outcome
     */
    record Arm(
            String name,
            @Nullable UUID trialId,
            String family,
            Config config,
            TrialOutcome outcome,
            @Nullable Double errorRatio,
            List<Measurement> measurements,
            String log) {

        /** A contender of a final that was neither verified nor timed. */
        public static Arm failed(UUID trialId, String family, Config config, TrialOutcome outcome, String log) {
            return new Arm(trialId.toString(), trialId, family, config, outcome, null, List.of(), log);
        }

        /** The same with another outcome, and the reason for it before what the worker says. */
        public Arm endedBy(TrialOutcome other, String reason) {
            return new Arm(
                    name, trialId, family, config, other, errorRatio, measurements, (reason + "\n" + log).strip());
        }
    }

    /**
     * How much faster {@code arm} is than {@code peer}.
     *
     * @param arm name of the one
     * @param peer name of the other
     * @param mode whether L2 was warm
     * @param ratio above 1 if the arm is faster
     */
    record ArmRatio(String arm, String peer, Mode mode, Ratio ratio) {}

    /**
     * One timed run of one arm.
     *
     * @param stage how much evidence it is part of
     * @param question that it answers
     * @param mode whether L2 was warm
     * @param index of the block among those of its stage, question and mode; every arm that was still in has one run in
     *     each block
     * @param position of the run within its block, from 0
     * @param arm name of the arm
     * @param launchNs duration of one launch, in nanoseconds
     * @param smClockMhz median SM clock during the run; {@code null} if it cannot be read, as are the following
     * @param powerWatts median power that the GPU drew
     * @param temperatureCelsius median temperature of the chip
     * @param throttleReasons all that were seen, as the bits of {@code nvmlClocksEventReasons}
     */
    record Block(
            Stage stage,
            Question question,
            Mode mode,
            int index,
            int position,
            String arm,
            double launchNs,
            @Nullable Double smClockMhz,
            @Nullable Double powerWatts,
            @Nullable Double temperatureCelsius,
            long throttleReasons) {}
}
