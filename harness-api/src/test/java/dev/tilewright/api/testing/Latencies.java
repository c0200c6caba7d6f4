package dev.tilewright.api.testing;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** How long many things of one kind took, the shortest first. */
public record Latencies(List<Duration> sorted) {

    public static Latencies of(Collection<Duration> times) {
        return new Latencies(times.stream().sorted().toList());
    }

    public int count() {
        return sorted.size();
    }

    /** So many per cent take no longer. */
    public Duration percentile(double percent) {
        int place = (int) Math.ceil(percent / 100 * sorted.size());
        return sorted.isEmpty() ? Duration.ZERO : sorted.get(Math.max(0, place - 1));
    }

    public Duration longest() {
        return percentile(100);
    }

    public long over(Duration limit) {
        return sorted.stream().filter(time -> time.compareTo(limit) > 0).count();
    }

    /** In milliseconds. */
    public static String ms(Duration time) {
        return String.format(Locale.ROOT, "%.1f", time.toNanos() / 1e6);
    }

    @Override
    public String toString() {
        return count() + " with a median of " + ms(percentile(50)) + " ms, p99 " + ms(percentile(99)) + " ms, longest "
                + ms(longest()) + " ms";
    }
}
