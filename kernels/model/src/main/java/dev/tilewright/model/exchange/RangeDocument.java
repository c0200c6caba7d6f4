package dev.tilewright.model.exchange;

import dev.tilewright.model.range.MeanLoss;
import dev.tilewright.model.range.RangePhase;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range of M of a job as users see it: one problem for any number of rows.
 *
 * @param problem with the least M as {@code m} and the most as {@code mTo}
 * @param family of its kernels
 * @param table {@code null} before the checks begin, and if there is none
 * @param error why there is no table, or none that is checked; {@code null} otherwise
 */
public record RangeDocument(
        ProblemDocument problem,
        String family,
        RangePhase phase,
        @Nullable Table table,
        @Nullable String error) {

    /**
     * The kernels for a range of M.
     *
     * @param screened how many configs were timed
     * @param kernels in the order of their M, without gaps; one may be there more than once
     * @param checkedAt values of M at which the table is checked
     * @param drawn whether they took no part in the choice; a range of few M has none that did not
     * @param seed of the drawn M
     * @param beside the most kernels beside which the table is checked at an M
     * @param regret {@code null} before the checks are over, and if none completed
     * @param lost the mean loss of the table among the kernels that it was chosen from, and that of one with twice as
     *     many kernels if it loses less; none in a table of before it was kept
     */
    public record Table(
            int screened,
            List<Span> kernels,
            List<Integer> checkedAt,
            boolean drawn,
            long seed,
            int beside,
            @Nullable Regret regret,
            List<MeanLoss> lost) {

        public Table {
            kernels = List.copyOf(kernels);
            lost = lost == null ? List.of() : List.copyOf(lost);
            checkedAt = List.copyOf(checkedAt);
        }

        /** The same with what the checks found. */
        public Table checked(@Nullable Regret found) {
            return new Table(screened, kernels, checkedAt, drawn, seed, beside, found, lost);
        }
    }
}
