package dev.tilewright.gate.trend;

import dev.tilewright.gate.statistics.Autocorrelation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Finds where the level of a series changed, by binary segmentation: the split with the greatest difference of means is
 * taken if chance hardly makes one so great at any point, and then each part is looked at by itself.
 *
 * <p>Points that resemble their neighbours wander without any change. The difference is judged by as many independent
 * points as they are worth, with the autocorrelation of what is left when the level is taken away. That level may
 * change three times: with a single change, a series that goes up and comes back would look as if it wandered.
 */
public final class ChangePoints {

    /** One wild point is no level: each has at least so many. */
    public static final int LEAST_POINTS = 5;

    /** Of a series; the bound over all points is so cautious that series of 100 points err in half of it. */
    private static final double ERROR = 0.02;

    /** Splits in a row: each rest is split once more. */
    private static final int DEPTH = 2;

    private static final double MOST_CORRELATED = 0.95;
    private static final double LEAST_FREEDOM = 2;

    private ChangePoints() {}

    /** The change points of a series, in their order. */
    public static List<ChangePoint> of(double... series) {
        List<Integer> starts = new ArrayList<>();
        List<Double> probabilities = new ArrayList<>();
        find(series, 0, series.length, starts, probabilities);
        List<ChangePoint> found = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            int from = i == 0 ? 0 : starts.get(i - 1);
            int to = i + 1 == starts.size() ? series.length : starts.get(i + 1);
            found.add(new ChangePoint(
                    starts.get(i),
                    mean(series, from, starts.get(i)),
                    mean(series, starts.get(i), to),
                    probabilities.get(i)));
        }
        return List.copyOf(found);
    }

    private static void find(double[] series, int from, int to, List<Integer> starts, List<Double> probabilities) {
        Optional<Split> split = Split.best(series, from, to);
        if (split.isEmpty()) {
            return;
        }
        double p = split.get().probability(series);
        if (p > ERROR) {
            return;
        }
        find(series, from, split.get().at(), starts, probabilities);
        starts.add(split.get().at());
        probabilities.add(p);
        find(series, split.get().at(), to, starts, probabilities);
    }

    private static double mean(double[] series, int from, int to) {
        return Arrays.stream(series, from, to).average().orElseThrow();
    }

    /**
     * Two parts of a piece of the series.
     *
     * @param distance of their means, over the root of the sum of the inverse numbers of points
     */
    private record Split(int from, int at, int to, double distance) {

        /** The one that sets its parts furthest apart; empty of a piece too short for two levels. */
        static Optional<Split> best(double[] series, int from, int to) {
            Optional<Split> best = Optional.empty();
            double all = Arrays.stream(series, from, to).sum();
            double before = Arrays.stream(series, from, Math.min(to, from + LEAST_POINTS))
                    .sum();
            for (int at = from + LEAST_POINTS; at <= to - LEAST_POINTS; at++) {
                double scale = Math.sqrt(1.0 / (at - from) + 1.0 / (to - at));
                double distance = Math.abs((all - before) / (to - at) - before / (at - from)) / scale;
                if (best.isEmpty() || distance > best.get().distance()) {
                    best = Optional.of(new Split(from, at, to, distance));
                }
                before += series[at];
            }
            return best;
        }

        /** Of so great a distance at any point of the piece. */
        double probability(double[] series) {
            int points = to - from;
            double[] rest = rest(series, from, to, DEPTH);
            double squares = Arrays.stream(rest).map(y -> y * y).sum();
            if (squares == 0) {
                return distance == 0 ? 1 : 0;
            }
            double seen = Autocorrelation.ofCentred(rest);
            int means = 1 << DEPTH;
            // Of a short series it is found too small, the more so the greater it is, and with every mean taken away.
            double corrected = seen + means * (1 + 3 * Math.max(0, seen)) / points;
            double r = Math.clamp(corrected, 0, MOST_CORRELATED);
            double worth = (1 - r) / (1 + r);
            double deviation = Math.sqrt(squares / (points - means) / worth);
            int candidates = points - 2 * LEAST_POINTS + 1;
            double freedom = Math.max(LEAST_FREEDOM, points * worth - means);
            return Math.min(1, 2 * candidates * TDistribution.of(freedom).survivalProbability(distance / deviation));
        }

        /** A piece without its level. */
        private static double[] rest(double[] series, int from, int to, int depth) {
            Optional<Split> split = depth == 0 ? Optional.empty() : best(series, from, to);
            if (split.isEmpty()) {
                double mean = mean(series, from, to);
                return Arrays.stream(series, from, to).map(y -> y - mean).toArray();
            }
            int at = split.get().at();
            return DoubleStream.concat(
                            Arrays.stream(rest(series, from, at, depth - 1)),
                            Arrays.stream(rest(series, at, to, depth - 1)))
                    .toArray();
        }
    }
}
