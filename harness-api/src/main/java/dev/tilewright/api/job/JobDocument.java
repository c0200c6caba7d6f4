package dev.tilewright.api.job;

import dev.tilewright.api.study.Budget;
import dev.tilewright.api.study.StudyState;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.trial.Testbed;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as users see it.
 *
 * @param peers further families whose kernels run in each final, bundles in their version
 * @param submittedBy name of the token that it was submitted with
 */
public record JobDocument(
        UUID id,
        String name,
        StudyState state,
        String strategy,
        Budget budget,
        long seed,
        String device,
        boolean check,
        List<String> peers,
        @Nullable String submittedBy,
        Instant createdAt,
        @Nullable Instant finishedAt,
        List<StudyLine> studies) {

    /**
     * One study of the job.
     *
     * @param testbed {@code null} until a device took it
     * @param bestTflops of completed trials so far; of the final once it was run
     * @param error why it could not be carried out
     */
    public record StudyLine(
            UUID id,
            ProblemDocument problem,
            StudyState state,
            @Nullable Testbed testbed,
            TrialLine trials,
            @Nullable Double bestTflops,
            @Nullable String error) {}

    /** How many trials were asked, have ended, and completed. */
    public record TrialLine(int total, int finished, int completed) {}
}
