package dev.tilewright.api.range;

import dev.tilewright.api.study.JobOptions;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.RangePhase;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A range of M as Postgres has it.
 *
 * @param ordinal its index among the ranges of its job
 * @param options of its job
 * @param table {@code null} before the checks begin, and where there is none
 */
record RangeRow(
        UUID jobId,
        int ordinal,
        RangedProblem problem,
        JobOptions options,
        RangePhase phase,
        RangeDocument.@Nullable Table table,
        @Nullable String error) {

    RangeDocument document() {
        return new RangeDocument(ProblemDocument.of(problem), options.family(), phase, table, error);
    }
}
