package dev.tilewright.api.web;

import dev.tilewright.model.text.Count;

/**
 * How far the trials of a study are.
 *
 * @param full where the bar of those that ended is full
 * @param says it in words
 */
public record TrialProgress(int finished, int full, String says) {

    /**
     * Of a study that is over, all that will be are there; of another one, at the most as many as it may have.
     *
     * @param total that were asked for so far
     * @param most that its budget lets it have
     */
    public static TrialProgress of(boolean over, int finished, int completed, int total, int most) {
        int all = over ? total : Math.max(most, total);
        return new TrialProgress(
                finished,
                // A bar needs some length, and that of a study that is over is full.
                over ? Math.max(1, finished) : all,
                finished + " of " + (over ? "" : "at most ") + Count.of(all, "trial") + ", " + completed
                        + " completed");
    }
}
