package dev.tilewright.model.exchange;

/**
 * How the trials of a study stand; those recorded as pruned are counted apart, because the search never asked for them.
 *
 * @param total asked by the search
 */
public record TrialCounts(int total, int queued, int leased, int finished, int completed, int pruned) {

    /** Trials that will still bring something. */
    public int open() {
        return queued + leased;
    }
}
