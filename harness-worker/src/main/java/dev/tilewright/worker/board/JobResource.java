package dev.tilewright.worker.board;

import dev.tilewright.model.trial.Testbed;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job while it runs, as {@code GET /api/v1/jobs/{id}} answers; only what is shown. */
public record JobResource(UUID id, String state, @Nullable String device, List<Study> studies) {

    /** One study of it. */
    public record Study(
            UUID id,
            ResultDocument.@Nullable Problem problem,
            String state,
            @Nullable Testbed testbed,
            Trials trials,
            @Nullable Double bestTflops,
            @Nullable String error) {}

    /** Counts of trials. */
    public record Trials(long total, long finished, long completed) {}

    /** Whether nothing more will come. */
    public boolean isOver() {
        return state.equals("finished") || state.equals("cancelled");
    }
}
