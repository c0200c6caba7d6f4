package dev.tilewright.model.exchange;

import java.util.Locale;
import java.util.Objects;

/**
 * A search through the kernels of a peer, beyond those that it returns by itself, for faster ones that run in a final.
 *
 * @param family of the peer
 * @param budgetSeconds that it was given
 * @param seconds that it took
 * @param tried algorithms that the peer's library was asked for
 * @param valid of them: those that it takes for the problem
 * @param kernels that could be told apart, those that the peer returns by itself among them
 * @param timed launches that were timed
 * @param dropped of them: those that failed, or whose result was wrong
 * @param joined how many were fast enough to run beside what the peer returns by itself
 * @param trouble met on the way, such as the reason of an early end; empty if there was none
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

    public PeerSearch {
        trouble = Objects.requireNonNullElse(trouble, "");
    }

    /** A search that ended before it found anything. */
    public static PeerSearch failed(String family, double budgetSeconds, double seconds, String trouble) {
        return new PeerSearch(family, budgetSeconds, seconds, 0, 0, 0, 0, 0, 0, trouble);
    }

    /** The least and the most seconds of GPU for a search, and those that it has if nobody says; 0 is no search. */
    public static final double LEAST_SECONDS = 0;

    public static final double MOST_SECONDS = 60;

    public static final double DEFAULT_SECONDS = 3;

    /** Why a search may not have so many seconds. */
    public static String limits(double seconds) {
        return "must be from 0, no search, to 60 seconds, got " + seconds;
    }

    /** On one line, for people. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "search of %s: %d algorithms tried, %d valid, %d kernels told apart, %d timed, %d dropped, %d joined the"
                        + " race; %.1f s of %.1f s%s",
                family,
                tried,
                valid,
                kernels,
                timed,
                dropped,
                joined,
                seconds,
                budgetSeconds,
                trouble.isEmpty() ? "" : "; " + trouble);
    }

    /** Whether a search may have so many seconds. */
    public static boolean isBudget(double seconds) {
        return seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS;
    }
}
