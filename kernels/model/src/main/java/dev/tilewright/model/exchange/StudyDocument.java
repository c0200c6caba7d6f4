package dev.tilewright.model.exchange;

import dev.tilewright.model.range.RangePhase;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A study as users see it, without its trials.
 *
 * @param ofRange the range of M that it serves, and in which phase; {@code null} of a study of a problem with one
 *     number of rows
 * @param stage what it is at; {@code null} before and after
 * @param mostTrials that it may have: what its budget allows, of a space that may be smaller
 * @param check whether each kernel text must be proved on the emulator before it may run
 * @param testbed {@code null} until a device took it, as is the space
 * @param anchor the config that all trials are timed beside; {@code null} if there is none
 * @param best {@code null} if nothing may be called best yet; on a real GPU that is until the final
 * @param ratioToDefault time of cuBLAS's default over that of the best, sustained; {@code null} where no peer ran, as
 *     are the others
 * @param bestPeer name of the fastest peer
 * @param peers the other kernels of the final, with name, family and config
 * @param peerSearches what was done to find faster kernels of the peers than those that they return by themselves
 * @param discards blocks of race and final that do not count, with their reasons
 * @param neighbours other processes on the GPU during race and final, or why they cannot be observed; a line for each
 * @param noise why nothing may be called best although kernels were timed: other processes computed on the GPU, or the
 *     times are too noisy; {@code null} if that is not so
 * @param sweep {@code null} before the first report of a trial
 * @param evidenceDeletedAt when what its results were made of was deleted: tiles by SM, phases, logs of completed
 *     trials, blocks, leases and kernels; {@code null} if it was not
 */
public record StudyDocument(
        UUID id,
        UUID jobId,
        @Nullable OfRange ofRange,
        StudyState state,
        @Nullable StudyStage stage,
        String family,
        ProblemDocument problem,
        String strategy,
        Budget budget,
        int mostTrials,
        long seed,
        String device,
        boolean check,
        @Nullable Testbed testbed,
        @Nullable SpaceDocument space,
        @Nullable Config anchor,
        TrialCounts counts,
        @Nullable BestDocument best,
        @Nullable Double ratioToDefault,
        @Nullable List<Double> ratioToDefaultCi,
        @Nullable Double ratioToBestPeer,
        @Nullable List<Double> ratioToBestPeerCi,
        @Nullable String bestPeer,
        List<PeerDocument> peers,
        List<PeerSearch> peerSearches,
        List<Discard> discards,
        List<String> neighbours,
        @Nullable String noise,
        @Nullable Sweep sweep,
        @Nullable String error,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable Instant evidenceDeletedAt) {

    public StudyDocument {
        // Documents of before they were listed have none.
        peers = peers == null ? List.of() : peers;
        peerSearches = peerSearches == null ? List.of() : peerSearches;
        discards = discards == null ? List.of() : discards;
        neighbours = neighbours == null ? List.of() : neighbours;
    }

    /**
     * The part that a study has in a range of M.
     *
     * @param range its index among the ranges of the job
     */
    public record OfRange(int range, RangePhase phase) {}

    /** The search space: {@code size} of all {@code points} keep every rule. */
    public record SpaceDocument(long points, long size, String hash, String familyBuild) {}

    /**
     * The best config, with the kind of testbed it is best on.
     *
     * @param us time of a launch in microseconds
     * @param gbPerSecond A and B read once and D written once in that time
     * @param rooflineShare {@code null} if the datasheet of the GPU is not known
     */
    public record BestDocument(
            UUID id,
            TestbedKind kind,
            Config config,
            Stage stage,
            double medianNs,
            @Nullable Double ciLowNs,
            @Nullable Double ciHighNs,
            double tflops,
            double us,
            double gbPerSecond,
            @Nullable Double rooflineShare) {}

    /**
     * Another kernel of the final than those of the study's family.
     *
     * @param tflops {@code null} if it did not complete
     * @param ratio its time over that of the best, sustained, in the turns of the final in which both ran; {@code null}
     *     if it was not in them
     */
    public record PeerDocument(
            String name,
            String family,
            Config config,
            TrialOutcome outcome,
            List<MeasurementDocument> measurements,
            @Nullable Double tflops,
            @Nullable Double ratio,
            @Nullable List<Double> ratioCi,
            String log) {

        /** Its sustained measurement with the most evidence behind it; empty if it was not timed. */
        public Optional<Measurement> lastSustained() {
            return MeasurementDocument.last(measurements, Mode.SUSTAINED);
        }
    }
}
