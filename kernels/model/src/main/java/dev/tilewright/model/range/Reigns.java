package dev.tilewright.model.range;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Chooses the kernels of a table for a range of M: few of them, such that the table is nearly as fast as the fastest
 * kernel at each M. Time lost is the logarithm of how much slower a kernel is than the fastest; its mean is over log M,
 * so that each doubling of M counts as much as the next. A kernel may reign more than once: tiles that just fit a wave
 * of the GPU come back with each wave.
 */
public final class Reigns {

    /** So much lost weighs twice, and more weighs more: a table is blamed for its worst M. */
    private static final double WEIGHED_TWICE = 0.1;

    /** One kernel more must save this much in the mean. */
    private static final double WORTH_A_KERNEL = 0.0005;

    /** One reign more must save this much in the mean. */
    private static final double WORTH_A_REIGN = 0.0001;

    /** More kernels are proposed where they save so much in the mean. */
    private static final double WORTH_SAYING = 0.005;

    /** A gap between two samples is searched for the crossing at no more values of M than these. */
    private static final int MOST_LOOKS = 512;

    private final List<IntToDoubleFunction> kernels;
    private final int[] rows;
    private final double[] shares;
    private final double[][] slower;
    private final double[][] lost;

    /**
     * @param shares of the samples in the mean
     * @param slower by kernel and sample, the logarithm of how much slower the kernel is than the fastest
     */
    private Reigns(List<IntToDoubleFunction> kernels, int[] rows, double[] shares, double[][] slower) {
        this.kernels = kernels;
        this.rows = rows;
        this.shares = shares;
        this.slower = slower;
        this.lost = lost(slower, shares);
    }

    /**
     * Kernels to choose from.
     *
     * @param kernels the time of each at an M, in any unit; finite and above 0; asked by several threads
     * @param rows the samples of M, in order: the first and the last are the ends of the range
     */
    public static Reigns among(List<IntToDoubleFunction> kernels, int[] rows) {
        if (kernels.isEmpty() || rows.length == 0) {
            throw new IllegalArgumentException("a table needs a kernel and a sample, got " + kernels.size()
                    + " kernels and " + rows.length + " samples");
        }
        double[][] times = kernels.parallelStream()
                .map(kernel ->
                        Arrays.stream(rows).mapToDouble(kernel::applyAsDouble).toArray())
                .toArray(double[][]::new);
        return new Reigns(kernels, rows, shares(rows), slower(times));
    }

    /**
     * Chooses.
     *
     * @param most kernels at the most, at least 1
     * @return from the least M to the most, without gaps
     */
    public List<Reign> of(int most) {
        return reigns(few(List.of(), most));
    }

    /**
     * A table, and how much it loses.
     *
     * @param lost its mean loss, and that of a table with twice as many kernels, if that loses clearly less
     */
    public record Choice(List<Reign> reigns, List<MeanLoss> lost) {}

    /**
     * Chooses, and says how much is lost.
     *
     * @param most kernels at the most, at least 1
     */
    public Choice table(int most) {
        List<Integer> few = few(List.of(), most);
        List<Reign> reigns = reigns(few);
        MeanLoss own = meanLoss(reigns);
        int more = Math.min(2 * most, TableSize.MOST);
        if (few.size() < most || more <= most) {
            return new Choice(reigns, List.of(own));
        }
        MeanLoss larger = meanLoss(reigns(few(few, more)));
        return new Choice(reigns, own.share() - larger.share() < WORTH_SAYING ? List.of(own) : List.of(own, larger));
    }

    private MeanLoss meanLoss(List<Reign> reigns) {
        double sum = 0;
        for (Reign reign : reigns) {
            for (int sample = 0; sample < rows.length; sample++) {
                if (rows[sample] >= reign.from() && rows[sample] <= reign.to()) {
                    sum += shares[sample] * slower[reign.kernel()][sample];
                }
            }
        }
        long distinct = reigns.stream().map(Reign::kernel).distinct().count();
        return new MeanLoss((int) distinct, StrictMath.exp(sum) - 1);
    }

    /** The part of log M from each sample to the next. */
    private static double[] shares(int[] rows) {
        double[] shares = new double[rows.length];
        double all = StrictMath.log(rows[rows.length - 1] + 1.0) - StrictMath.log(rows[0]);
        for (int sample = 0; sample < rows.length; sample++) {
            double next = sample + 1 < rows.length ? rows[sample + 1] : rows[sample] + 1.0;
            shares[sample] = (StrictMath.log(next) - StrictMath.log(rows[sample])) / all;
        }
        return shares;
    }

    private static double[][] slower(double[][] times) {
        double[][] slower = new double[times.length][times[0].length];
        for (int sample = 0; sample < times[0].length; sample++) {
            double fastest = Double.POSITIVE_INFINITY;
            for (double[] kernel : times) {
                fastest = Math.min(fastest, kernel[sample]);
            }
            for (int kernel = 0; kernel < times.length; kernel++) {
                slower[kernel][sample] = StrictMath.log(times[kernel][sample] / fastest);
            }
        }
        return slower;
    }

    private static double[][] lost(double[][] slower, double[] shares) {
        double[][] lost = new double[slower.length][shares.length];
        for (int kernel = 0; kernel < slower.length; kernel++) {
            for (int sample = 0; sample < shares.length; sample++) {
                double log = slower[kernel][sample];
                lost[kernel][sample] = shares[sample] * log * (1 + log / WEIGHED_TWICE);
            }
        }
        return lost;
    }

    /**
     * One kernel after the other that saves most, each then exchanged for as long as that saves more.
     *
     * @param begun the first of them
     */
    private List<Integer> few(List<Integer> begun, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("a table has at least one kernel, got " + most);
        }
        List<Integer> few = begun;
        double least = loss(leastLost(begun));
        while (few.size() < Math.min(most, kernels.size())) {
            List<Integer> more = new ArrayList<>(few);
            more.add(bestBeside(few));
            exchange(more);
            double loss = loss(leastLost(more));
            if (least - loss < WORTH_A_KERNEL) {
                return few;
            }
            least = loss;
            few = more;
        }
        return few;
    }

    private void exchange(List<Integer> few) {
        double least = loss(leastLost(few));
        for (boolean saves = true; saves; ) {
            saves = false;
            for (int i = 0; i < few.size(); i++) {
                List<Integer> others = new ArrayList<>(few);
                others.remove(i);
                int best = bestBeside(others);
                others.add(i, best);
                double loss = loss(leastLost(others));
                if (loss < least) {
                    least = loss;
                    few.set(i, best);
                    saves = true;
                }
            }
        }
    }

    private int bestBeside(List<Integer> few) {
        double[] before = leastLost(few);
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int kernel = 0; kernel < lost.length; kernel++) {
            double loss = 0;
            for (int sample = 0; sample < rows.length; sample++) {
                loss += Math.min(before[sample], lost[kernel][sample]);
            }
            if (loss < least) {
                least = loss;
                best = kernel;
            }
        }
        return best;
    }

    /** The time lost at each sample where the fastest of these kernels is launched. */
    private double[] leastLost(List<Integer> few) {
        double[] least = new double[rows.length];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        for (int kernel : few) {
            for (int sample = 0; sample < rows.length; sample++) {
                least[sample] = Math.min(least[sample], lost[kernel][sample]);
            }
        }
        return least;
    }

    private static double loss(double[] lost) {
        return Arrays.stream(lost).sum();
    }

    /** The reigns of these kernels for which time lost and changes of kernel cost least together. */
    private List<Reign> reigns(List<Integer> few) {
        int samples = rows.length;
        double[] cost = new double[few.size()];
        int[][] before = new int[samples][few.size()];
        for (int sample = 0; sample < samples; sample++) {
            int cheapest = IntStream.range(0, cost.length)
                    .reduce((one, other) -> cost[other] < cost[one] ? other : one)
                    .orElseThrow();
            double changed = cost[cheapest] + WORTH_A_REIGN;
            for (int i = 0; i < cost.length; i++) {
                before[sample][i] = cost[i] <= changed ? i : cheapest;
                cost[i] = Math.min(cost[i], changed) + lost[few.get(i)][sample];
            }
        }
        int last = IntStream.range(0, cost.length)
                .reduce((one, other) -> cost[other] < cost[one] ? other : one)
                .orElseThrow();
        List<Reign> found = new ArrayList<>();
        int to = rows[samples - 1];
        for (int sample = samples - 1; sample > 0; sample--) {
            int behind = before[sample][last];
            if (behind != last) {
                int from = crossing(few.get(behind), few.get(last), rows[sample - 1], rows[sample]);
                found.addFirst(new Reign(from, to, few.get(last)));
                to = from - 1;
                last = behind;
            }
        }
        found.addFirst(new Reign(rows[0], to, few.get(last)));
        return List.copyOf(found);
    }

    /**
     * The M at which the kernels change with the least time lost.
     *
     * @param before the kernel of the lower M
     * @param behind that of the higher ones
     * @param above a sample at which the first is launched
     * @param upTo the next sample, at which the second is
     */
    private int crossing(int before, int behind, int above, int upTo) {
        int step = Math.ceilDiv(upTo - above, MOST_LOOKS);
        double lead = 0;
        double least = 0;
        int crossing = upTo;
        for (int m = upTo - step; m > above; m -= step) {
            lead += StrictMath.log(
                    kernels.get(behind).applyAsDouble(m) / kernels.get(before).applyAsDouble(m));
            if (lead < least) {
                least = lead;
                crossing = m;
            }
        }
        return crossing;
    }
}
