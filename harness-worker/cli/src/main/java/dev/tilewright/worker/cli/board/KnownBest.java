package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A best config, as {@code GET /api/v1/best} answers; only what is used.
 *
 * @param equivalent it and those that its final did not tell apart from it, the best first
 * @param ratioToDefault time of the vendor's default kernel over its own in its final; {@code null} if that did not run
 * @param stale why it may be best no longer; {@code null} if nothing says so
 */
public record KnownBest(
        ProblemDocument problem,
        String shape,
        String dtype,
        String family,
        Testbed testbed,
        Config config,
        double tflops,
        double medianNs,
        @Nullable Double ciLowNs,
        @Nullable Double ciHighNs,
        List<Equal> equivalent,
        @Nullable Double ratioToDefault,
        @Nullable Double ratioToBestPeer,
        @Nullable List<Double> ratioToBestPeerCi,
        UUID trialId,
        @Nullable String finishedAt,
        @Nullable String stale) {

    /**
     * All that answer a question.
     *
     * @param nearest that they are of another shape; {@code null} if they are not
     */
    public record Answer(@Nullable Nearest nearest, List<KnownBest> items) {}

    /** The shape of which something is known, and by how much it differs. */
    public record Nearest(String shape, double factor) {}

    /** A config that may be taken as well. */
    public record Equal(UUID trialId, Config config) {}

    /** Whether another is of the same problem and family, on a GPU of the same model. */
    private boolean isLike(KnownBest other) {
        return problem.equals(other.problem)
                && family.equals(other.family)
                && testbed.device().equals(other.testbed.device());
    }

    /** Whether a fresh one is known beside it, such as of an earlier refresh. */
    public boolean isSuperseded(List<KnownBest> all) {
        return stale != null && all.stream().anyMatch(other -> other.stale == null && isLike(other));
    }
}
