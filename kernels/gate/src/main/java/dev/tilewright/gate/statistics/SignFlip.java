package dev.tilewright.gate.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoublePredicate;

/**
 * The permutation test of paired blocks: were both arms the same kernel, each block could as well have the other sign.
 * How often do flipped signs give a sum as far from zero as the one that was seen?
 *
 * <p>With up to {@value #MOST_EXACT_BLOCKS} blocks all flips are counted and the answer is exact, its least value being
 * one flip in {@code 2^B}. With more, {@value #FLIPS} flips are drawn; the flip that was seen counts as one of them, so
 * that the answer is never zero.
 */
public final class SignFlip {

    public static final int MOST_EXACT_BLOCKS = 16;
    static final int FLIPS = 100_000;

    /** Sums that differ by less than this share of the sum of magnitudes are equal but for rounding. */
    private static final double ROUNDING = 1e-12;

    private SignFlip() {}

    /**
     * Probability of a sum at least as far from zero on either side.
     *
     * @param seed of the flips, used with more than {@value #MOST_EXACT_BLOCKS} blocks
     * @throws IllegalArgumentException if there is no block
     */
    public static double twoSided(double[] blocks, long seed) {
        double seen = Math.abs(Arrays.stream(blocks).sum()) - tolerance(blocks);
        return probability(blocks, seed, sum -> Math.abs(sum) >= seen);
    }

    /** Probability of a sum at least as great, likewise. */
    public static double greater(double[] blocks, long seed) {
        double seen = Arrays.stream(blocks).sum() - tolerance(blocks);
        return probability(blocks, seed, sum -> sum >= seen);
    }

    private static double tolerance(double[] blocks) {
        return ROUNDING * Arrays.stream(blocks).map(Math::abs).sum();
    }

    private static double probability(double[] blocks, long seed, DoublePredicate extreme) {
        if (blocks.length == 0) {
            throw new IllegalArgumentException("a permutation test needs at least one block");
        }
        return blocks.length <= MOST_EXACT_BLOCKS ? exact(blocks, extreme) : drawn(blocks, seed, extreme);
    }

    private static double exact(double[] blocks, DoublePredicate extreme) {
        int flips = 1 << blocks.length;
        int count = 0;
        for (int flip = 0; flip < flips; flip++) {
            count += extreme.test(sum(blocks, flip)) ? 1 : 0;
        }
        return count / (double) flips;
    }

    private static double drawn(double[] blocks, long seed, DoublePredicate extreme) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] sums = sumsOfGroups(blocks);
        int count = 1;
        for (int flip = 0; flip < FLIPS; flip++) {
            double sum = 0;
            long signs = 0;
            for (int group = 0; group < sums.length; group++) {
                signs = group % Long.BYTES == 0 ? random.nextLong() : signs >>> Byte.SIZE;
                sum += sums[group][(int) (signs & 0xff)];
            }
            count += extreme.test(sum) ? 1 : 0;
        }
        return count / (FLIPS + 1.0);
    }

    /** The sum of each eight blocks with each of their 256 signs: a flip then adds a few of them. */
    private static double[][] sumsOfGroups(double[] blocks) {
        double[][] sums = new double[(blocks.length + Byte.SIZE - 1) / Byte.SIZE][];
        for (int group = 0; group < sums.length; group++) {
            int from = group * Byte.SIZE;
            double[] some = Arrays.copyOfRange(blocks, from, Math.min(from + Byte.SIZE, blocks.length));
            sums[group] = new double[1 << Byte.SIZE];
            Arrays.setAll(sums[group], flip -> sum(some, flip));
        }
        return sums;
    }

    private static double sum(double[] blocks, int flip) {
        double sum = 0;
        for (int i = 0; i < blocks.length; i++) {
            sum += (flip >>> i & 1) == 0 ? blocks[i] : -blocks[i];
        }
        return sum;
    }
}
