package dev.tilewright.gate.document;

/**
 * How much longer a launch of the candidate takes than one of the baseline, in percent of the baseline: above 0 the
 * candidate is slower.
 *
 * @param percent estimate over the blocks
 * @param low one-sided lower bound
 * @param high one-sided upper bound; 1,000,000 where the blocks show none below that
 * @param confidence of each bound, such as 0.99, over all looks
 * @param blocks that count
 * @param effectiveBlocks how many independent ones they are worth
 * @param hodgesLehmann another estimate, which single wild blocks hardly move, percent
 * @param deviation standard deviation of a block, percent
 * @param detectable the smallest slowdown that these blocks find with probability 0.9, percent
 * @param p of the hypothesis that the slowdown is at most the margin that fails, over all looks
 * @param signFlipP the same by flipped signs, without any assumption on the distribution
 * @param order how much the position in a block changes the effect, percent
 */
public record Effect(
        double percent,
        double low,
        double high,
        double confidence,
        int blocks,
        double effectiveBlocks,
        double hodgesLehmann,
        double deviation,
        double detectable,
        double p,
        double signFlipP,
        double order) {

    /** A slowdown of more percent is told as this. */
    public static final double MOST_PERCENT = 1e6;
}
