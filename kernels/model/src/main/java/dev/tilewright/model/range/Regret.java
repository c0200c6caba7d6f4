package dev.tilewright.model.range;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How much longer a table takes than the fastest kernel that is known, at some values of M.
 *
 * @param median of all checks, as a share: 0.01 is one percent
 * @param p95 the 95th percentile
 * @param worst the largest
 * @param worstAt its M
 * @param checks in the order of M
 */
public record Regret(double median, double p95, double worst, int worstAt, List<Check> checks) {

    private static final double HIGH = 0.95;

    /**
     * One M.
     *
     * @param us microseconds of the table's kernel
     * @param fastestUs of the fastest kernel that is known
     */
    public record Check(int m, double us, double fastestUs) {

        /** How much longer it takes, as a share; 0 where the table's kernel is the fastest. */
        public double lost() {
            return Math.max(0, us / fastestUs - 1);
        }
    }

    public Regret {
        checks = List.copyOf(checks);
    }

    /**
     * Of checks.
     *
     * @param checks at least one
     */
    public static Regret of(List<Check> checks) {
        double[] lost = checks.stream().mapToDouble(Check::lost).sorted().toArray();
        Check worst =
                checks.stream().max(Comparator.comparingDouble(Check::lost)).orElseThrow();
        return new Regret(quantile(lost, 1.0 / 2), quantile(lost, HIGH), worst.lost(), worst.m(), checks);
    }

    /** Its figures for people, such as {@code median 0.5 %, 95th percentile 3.0 %, worst 8.1 % at M = 96}. */
    public String figures() {
        return String.format(
                Locale.ROOT,
                "median %.1f %%, 95th percentile %.1f %%, worst %.1f %% at M = %d",
                100 * median,
                100 * p95,
                100 * worst,
                worstAt);
    }

    /** Between the two nearest. */
    private static double quantile(double[] sorted, double share) {
        double at = share * (sorted.length - 1);
        int low = (int) at;
        int high = Math.min(low + 1, sorted.length - 1);
        return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
    }
}
