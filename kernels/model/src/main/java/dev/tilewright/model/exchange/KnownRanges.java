package dev.tilewright.model.exchange;

import dev.tilewright.model.trial.Testbed;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tables of kernels for ranges of M that real GPUs measured, as {@code GET /api/v1/ranges} answers. */
public record KnownRanges(List<KnownRange> items) {

    /**
     * The newest table of a range, of a family and a model of a GPU.
     *
     * @param range with its table, whose checks are over
     * @param finishedAt of the job
     */
    public record KnownRange(UUID jobId, @Nullable Instant finishedAt, Testbed testbed, RangeDocument range) {}
}
