package dev.tilewright.gate.statistics;

import java.util.Optional;

/**
 * The effect of the order in a block: the slope of {@code y = mu + gamma x} over the blocks, with x = 1 where the
 * second arm ran first and -1 where the first did.
 *
 * @param gamma by how much ln(time of the second / time of the first) is higher than its mean when the second ran first
 */
public record OrderEffect(double gamma) {

    /**
     * Fits the effect; empty if all blocks have the same order.
     *
     * @param blocks log-ratio of each block
     * @param secondFirst whether the second arm ran first in it
     */
    public static Optional<OrderEffect> of(double[] blocks, boolean[] secondFirst) {
        double first = 0;
        double second = 0;
        int seconds = 0;
        for (int i = 0; i < blocks.length; i++) {
            if (secondFirst[i]) {
                second += blocks[i];
                seconds++;
            } else {
                first += blocks[i];
            }
        }
        int firsts = blocks.length - seconds;
        // With x of two values, the slope of least squares is half the difference of the two means.
        return seconds == 0 || firsts == 0
                ? Optional.empty()
                : Optional.of(new OrderEffect((second / seconds - first / firsts) / 2));
    }
}
