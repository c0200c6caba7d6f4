package dev.tilewright.gemm.oracle;

/**
 * How far a mainloop's sums of products may be off, for each unit of {@code sum|a*b|}; each mainloop states its own.
 * The numbers are for normal data, or for their magnitudes.
 */
public sealed interface SumError {

    /** The signs of the products of a sum. */
    enum Signs {
        /** Errors of random signs, of sums that stay near sqrt(K). */
        RANDOM,
        /** All alike: sums grow with K, and whatever is cut off adds up. */
        ONE
    }

    /** The largest error of a sum of k products that is right. */
    double of(int k, Signs signs);

    /** The same as the factor c of {@code c * sqrt(k) * 2^-24}, for a bound that is given so. */
    default double c(int k, Signs signs) {
        return of(k, signs) / (Math.sqrt(k) * Rounded.HALF_UNIT);
    }

    /**
     * Sums of f32. Each of k additions errs by at most 2^-24 of a partial sum, which is below sum|a*b|; signs are
     * random, so errors add as sqrt(k). With random signs the partial sums stay near sqrt(k), far below sum|a*b| which
     * grows as k, so c = 1 leaves room for the truncating adders of the tensor cores, which err up to twice as much as
     * rounding ones.
     *
     * <p>Of products of one sign tensor cores of sm_90 cut off half of 2^-25 of the sum so far on average, which is
     * half of the whole sum on average.
     */
    record Rounded(double c) implements SumError {
        static final double HALF_UNIT = 0x1p-24;

        /** The usual one. */
        public static final Rounded PLAIN = new Rounded(1);

        @Override
        public double of(int k, Signs signs) {
            double rounded = c * Math.sqrt(k) * HALF_UNIT;
            return switch (signs) {
                case RANDOM -> rounded;
                case ONE -> rounded + k / 4.0 * 0x1p-25;
            };
        }
    }

    /**
     * Sums of inputs of 8 bits on sm_90, whose tensor core cuts each summand of an instruction to 13 bits behind the
     * leading one of the largest, the sum so far among them, and the result likewise; {@code HopperSums} of the
     * emulator does the same to the bit.
     *
     * <p>Random signs: a sum stays near sqrt(K), and so do its units. What is cut off has as many signs as the products
     * have; the cuts of results go towards zero and add up, each by at most 2^-13 of a sum, of which there are K / 32.
     * The most that was seen is 3 cuts of sum|a*b| in 250,000 sums at K = 128 and in 20,000 at each K up to 16,384, and
     * 6 on a GPU in millions: 8 leave room. In runs that are added up in f32 the errors of runs add as their square
     * root.
     *
     * <p>One sign: of each product half a unit is cut off on average, and the sum so far is half of the run's on
     * average: a quarter of a cut for each product of a run. Seen is half of that, with 8 to spare for short runs.
     *
     * @param run products that the tensor core adds up before the sum is added to another one in f32
     */
    record Cut(int run) implements SumError {
        private static final double CUT = 0x1p-13;
        private static final double OF_RANDOM = 8;
        private static final double PER_PRODUCT = 0.25;

        /** One sum over all of K. */
        public static final Cut WHOLE = new Cut(Integer.MAX_VALUE);

        public Cut {
            if (run < 1) {
                throw new IllegalArgumentException("a run has at least one product, got " + run);
            }
        }

        @Override
        public double of(int k, Signs signs) {
            double runs = Math.max(1, (double) k / run);
            double cuts = switch (signs) {
                case RANDOM -> OF_RANDOM / Math.sqrt(runs);
                case ONE -> OF_RANDOM + PER_PRODUCT * Math.min(k, run);
            };
            return cuts * CUT + Rounded.PLAIN.of((int) Math.ceil(runs), signs);
        }
    }
}
