package dev.tilewright.model.exchange;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The best known configs, as {@code GET /api/v1/best} answers.
 *
 * @param note what is not among them, for people who miss something
 * @param nearest says that the items are of another shape than was asked for; {@code null} if they are not
 */
public record BestConfigs(String note, @Nullable Nearest nearest, List<BestConfig> items) {

    /**
     * The shape that is known and nearest to the one asked for: the factors by which M, N and K differ, multiplied, are
     * the smallest.
     *
     * @param factor that product, at least 1
     */
    public record Nearest(String asked, String shape, double factor) {}

    /** A config that the final did not tell apart from the best: their intervals meet. */
    public record Equal(
            UUID trialId,
            Config config,
            double medianNs,
            @Nullable Double ciLowNs,
            @Nullable Double ciHighNs) {}

    /**
     * The best config of one problem on one testbed, from the final whose interval is best.
     *
     * @param shape of its problem in short, as is the type of A
     * @param us time of a launch in microseconds
     * @param gbPerSecond A and B read once and D written once in that time
     * @param rooflineShare {@code null} if the datasheet of the GPU is not known
     * @param equivalent this config and those whose intervals meet its own, by median; any of them may be taken
     * @param ratioToDefault time of cuBLAS's default over that of this config, sustained; {@code null} where it did not
     *     run
     * @param stale why it may be so no longer: the GPUs of its model that workers offer have another driver;
     *     {@code null} if one has the driver that it was measured with, or nobody offers such a GPU
     */
    public record BestConfig(
            ProblemDocument problem,
            String shape,
            String dtype,
            String family,
            Testbed testbed,
            Config config,
            double tflops,
            double us,
            double gbPerSecond,
            @Nullable Double rooflineShare,
            double medianNs,
            @Nullable Double ciLowNs,
            @Nullable Double ciHighNs,
            List<Equal> equivalent,
            @Nullable Double ratioToDefault,
            @Nullable List<Double> ratioToDefaultCi,
            @Nullable Double ratioToBestPeer,
            @Nullable List<Double> ratioToBestPeerCi,
            @Nullable String bestPeer,
            UUID trialId,
            UUID studyId,
            UUID jobId,
            @Nullable Instant finishedAt,
            @Nullable String stale) {

        /** This config among those that may be taken as well. */
        public Equal itself() {
            return new Equal(trialId, config, medianNs, ciLowNs, ciHighNs);
        }

        /** Whether a fresh one is known beside it, such as of an earlier refresh. */
        public boolean isSuperseded(List<BestConfig> all) {
            return stale != null && all.stream().anyMatch(other -> other.stale == null && isLike(other));
        }

        /** Whether another is of the same problem and family, on a GPU of the same model. */
        private boolean isLike(BestConfig other) {
            return problem.equals(other.problem)
                    && family.equals(other.family)
                    && testbed.device().equals(other.testbed.device());
        }
    }
}
