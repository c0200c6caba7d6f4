package dev.tilewright.model.trial;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much faster one kernel is than another, both timed in the same blocks of one run: time of the other over time of
 * this.
 *
 * @param value estimate over blocks; above 1 this kernel is faster
 * @param low lower end of the 95 % interval
 * @param high upper end
 * @param blocks number of blocks
 */
public record Ratio(double value, double low, double high, int blocks) {

    /** Its value; {@code null} of none. */
    public static @Nullable Double value(@Nullable Ratio ratio) {
        return ratio == null ? null : ratio.value();
    }

    /** Its ends; {@code null} of none. */
    public static @Nullable List<Double> interval(@Nullable Ratio ratio) {
        return ratio == null ? null : List.of(ratio.low(), ratio.high());
    }
}
