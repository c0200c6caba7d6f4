package dev.tilewright.api.best;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The best known configs.
 *
 * @param note what is not among them, for people who miss something
 */
record BestConfigs(String note, List<BestConfig> items) {

    /**
     * The best config of one problem on one testbed, from the final whose interval is best.
     *
     * @param us time of a launch in microseconds
     * @param gbPerSecond A and B read once and D written once in that time
     * @param rooflineShare {@code null} if the datasheet of the GPU is not known
     * @param ratioToDefault time of cuBLAS's default over that of this config, sustained; {@code null} where it did not
     *     run
     */
    record BestConfig(
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
            @Nullable Double ratioToDefault,
            @Nullable List<Double> ratioToDefaultCi,
            @Nullable Double ratioToBestPeer,
            @Nullable List<Double> ratioToBestPeerCi,
            @Nullable String bestPeer,
            UUID trialId,
            UUID studyId,
            UUID jobId,
            @Nullable Instant finishedAt) {}
}
