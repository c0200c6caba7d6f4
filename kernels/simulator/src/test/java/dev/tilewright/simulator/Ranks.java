package dev.tilewright.simulator;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Rank correlation. */
final class Ranks {

    private Ranks() {}

    /** Spearman's coefficient: the correlation of the ranks, of equal values their mean rank. */
    static double spearman(double[] first, double[] second) {
        if (first.length != second.length || first.length < 2) {
            throw new IllegalArgumentException(
                    "ranks need two lists of one length, at least 2, got " + first.length + " and " + second.length);
        }
        double[] a = ranks(first);
        double[] b = ranks(second);
        double mean = (a.length - 1) / 2.0;
        double both = 0;
        double onlyA = 0;
        double onlyB = 0;
        for (int i = 0; i < a.length; i++) {
            both += (a[i] - mean) * (b[i] - mean);
            onlyA += (a[i] - mean) * (a[i] - mean);
            onlyB += (b[i] - mean) * (b[i] - mean);
        }
        return both / Math.sqrt(onlyA * onlyB);
    }

    private static double[] ranks(double[] values) {
        Integer[] order = IntStream.range(0, values.length).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingDouble(i -> values[i]));
        double[] ranks = new double[values.length];
        for (int from = 0; from < order.length; ) {
            int to = from;
            while (to < order.length && values[order[to]] == values[order[from]]) {
                to++;
            }
            for (int i = from; i < to; i++) {
                ranks[order[i]] = (from + to - 1) / 2.0;
            }
            from = to;
        }
        return ranks;
    }
}
