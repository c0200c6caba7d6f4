package dev.tilewright.model.range;

import java.util.List;
import java.util.Locale;

/**
 * How much longer a table takes than the fastest of the kernels that it was chosen from, in the mean over log M.
 *
 * @param kernels of the table
 * @param share of the time: 0.01 is one percent
 */
public record MeanLoss(int kernels, double share) {

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
                        "in the mean over log M, %s %.1f %% longer than the fastest of those to choose from",
                        own.kernels() == 1 ? "1 kernel takes" : own.kernels() + " kernels take",
                        100 * own.share())
                + (own.equals(last)
                        ? ""
                        : String.format(
                                Locale.ROOT, "; %d would take %.1f %% longer", last.kernels(), 100 * last.share()));
    }

    /** The same for the terminal, with the option that asks for the larger table. */
    public static String line(List<MeanLoss> losses) {
        return sentence(losses)
                + (losses.size() == 1 ? "" : " (--kernels " + losses.getLast().kernels() + ")");
    }
}
