package dev.tilewright.model.range;

import java.util.List;
import java.util.Locale;

/**
 * How much longer a table takes than the fastest of the kernels it was chosen from, in the mean over log M.
 *
 * @param kernels of the table
 * @param share of the time: 0.01 is one percent
 */
public record MeanLoss(int kernels, double share) {

    /** Kernels of a table at the most, where the user says no number. */
    public static final int USUAL_KERNELS = 8;

    /** The most that a user may ask for. */
    public static final int MOST_KERNELS = 32;

    /** The rule that a number of kernels breaks. */
    public static String limits(int kernels) {
        return "must be from 1 to " + MOST_KERNELS + " kernels for a range of M, got " + kernels;
    }

    public static boolean isNumber(int kernels) {
        return kernels >= 1 && kernels <= MOST_KERNELS;
    }

    /**
     * Mean losses in a sentence.
     *
     * @param losses of the table, then perhaps of a larger one; at least one
     */
    public static String sentence(List<MeanLoss> losses) {
        MeanLoss own = losses.getFirst();
        MeanLoss last = losses.getLast();
        return String.format(
                        Locale.ROOT,
                        "in the mean over log M, %s %.1f %% longer than the fastest of the timed kernels",
                        own.kernels() == 1 ? "1 kernel takes" : own.kernels() + " kernels take",
                        100 * own.share())
                + (own.equals(last)
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; %d would take %.1f %% longer (--kernels %1$d)",
                                last.kernels(),
                                100 * last.share()));
    }
}
