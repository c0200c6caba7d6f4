package dev.tilewright.model.exchange;

import dev.tilewright.model.text.Count;
import java.util.Locale;
import java.util.Objects;

/**
 * A search through the kernels of a peer, beyond those that it returns by itself, for faster ones that run in a final.
 *
 * @param family of the peer
 * @param budgetSeconds its budget, in seconds of GPU
 * @param seconds its time, in seconds of GPU
 * @param tried algorithms that the peer's library was asked for
 * @param valid algorithms that the library takes for the problem
 * @param kernels distinct kernels, including those that the peer returns by itself
 * @param timed kernels that were timed
 * @param dropped timed kernels that failed, or whose result was wrong
 * @param joined kernels that were fast enough to run in the race
 * @param trouble on the way, such as the reason of an early end; empty if there was none
 */
public record PeerSearch(
        String family,
        double budgetSeconds,
        double seconds,
        int tried,
        int valid,
        int kernels,
        int timed,
        int dropped,
        int joined,
        String trouble) {

    /** The smallest budget, in seconds of GPU: no search. */
    public static final double LEAST_SECONDS = 0;

    /** The largest budget, in seconds of GPU. */
    public static final double MOST_SECONDS = 60;

    /** The budget of a job that names none, in seconds of GPU. */
    public static final double DEFAULT_SECONDS = 3;

    public PeerSearch {
        trouble = Objects.requireNonNullElse(trouble, "");
    }

    /** A search that ended before it found anything. */
    public static PeerSearch failed(String family, double budgetSeconds, double seconds, String trouble) {
        return new PeerSearch(family, budgetSeconds, seconds, 0, 0, 0, 0, 0, 0, trouble);
    }

    /** The rule that a budget breaks. */
    public static String limits(double seconds) {
        return String.format(Locale.ROOT, "must be from 0, no search, to %.0f seconds, got %s", MOST_SECONDS, seconds);
    }

    /** On one line, for people. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "search of %s: %s tried, %d valid, %s told apart, %d timed, %d dropped, %d joined the"
                        + " race; %.1f s of %.1f s%s",
                family,
                Count.of(tried, "algorithm"),
                valid,
                Count.of(kernels, "kernel"),
                timed,
                dropped,
                joined,
                seconds,
                budgetSeconds,
                trouble.isEmpty() ? "" : "; " + trouble);
    }

    /** Whether a budget is within the limits. */
    public static boolean isBudget(double seconds) {
        return seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS;
    }
}
