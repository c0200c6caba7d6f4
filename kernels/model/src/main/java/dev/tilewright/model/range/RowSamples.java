package dev.tilewright.model.range;

import java.util.SplittableRandom;
import java.util.TreeSet;

/** Values of M from a range, log-uniform: each doubling of M counts as much as the next. */
public final class RowSamples {

    /** Draws for each value that is wanted, before a range is taken to have no more. */
    private static final int TRIES = 64;

    private static final int NEAR = 64;

    private RowSamples() {}

    /**
     * Values at even steps of log M, with both ends, in order; fewer where the range has fewer.
     *
     * @param count at least 2
     */
    public static int[] even(int least, int most, int count) {
        TreeSet<Integer> rows = new TreeSet<>();
        double step = StrictMath.log((double) most / least) / (count - 1);
        for (int i = 0; i < count; i++) {
            rows.add((int) Math.clamp(Math.round(least * StrictMath.exp(i * step)), (long) least, (long) most));
        }
        return toArray(rows);
    }

    /**
     * Values so near to each other that hardly any crossing of two kernels lies hidden: steps of 1/64 of M, or of 1.
     */
    public static int[] near(int least, int most) {
        TreeSet<Integer> rows = new TreeSet<>();
        for (long m = least; m < most; m += Math.max(1, m / NEAR)) {
            rows.add((int) m);
        }
        rows.add(most);
        return toArray(rows);
    }

    /** Drawn values, in order, none of them among some others; fewer or none where the range has no more. */
    public static int[] drawn(int least, int most, int count, long seed, int[] others) {
        TreeSet<Integer> apart = new TreeSet<>();
        for (int rows : others) {
            apart.add(rows);
        }
        SplittableRandom random = new SplittableRandom(seed);
        TreeSet<Integer> rows = new TreeSet<>();
        for (int tried = 0; rows.size() < count && tried < TRIES * count; tried++) {
            double log = random.nextDouble(StrictMath.log(least), StrictMath.log(most + 1.0));
            int drawn = (int) Math.clamp((long) StrictMath.exp(log), (long) least, (long) most);
            if (!apart.contains(drawn)) {
                rows.add(drawn);
            }
        }
        return toArray(rows);
    }

    private static int[] toArray(TreeSet<Integer> rows) {
        return rows.stream().mapToInt(Integer::intValue).toArray();
    }
}
