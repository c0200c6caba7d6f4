package dev.tilewright.api.job;

import dev.tilewright.api.study.JobOptions;
import dev.tilewright.model.exchange.JobDocument.JobLine;
import dev.tilewright.model.exchange.StudyState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as Postgres has it.
 *
 * @param seq grows with each job
 * @param submittedBy name of the token that it was submitted with; {@code null} for one of a time without names
 */
record JobRow(
        UUID id,
        long seq,
        String name,
        StudyState state,
        JobOptions options,
        @Nullable String submittedBy,
        Instant createdAt,
        @Nullable Instant finishedAt) {

    JobLine line() {
        return new JobLine(
                id,
                name,
                state,
                options.strategy(),
                options.budget(),
                options.seed(),
                options.device(),
                options.check(),
                options.peers(),
                createdAt,
                finishedAt);
    }
}
