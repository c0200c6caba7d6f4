package dev.tilewright.worker.cli.board;

import java.time.Duration;

/** How long something has taken, and how much longer it takes if it goes on like this. */
public final class Pace {

    /** With less done nothing is said of the time that is left. */
    private static final double LEAST_SHARE = 0.05;

    private Pace() {}

    /**
     * Such as {@code 12 s, about 34 s left}.
     *
     * @param share that is done, from 0 to 1; with too small a one, or with all done, nothing is said of the rest
     */
    public static String words(Duration elapsed, double share) {
        String so = inWords(elapsed);
        return share < LEAST_SHARE || share >= 1
                ? so
                : so + ", about " + inWords(Duration.ofMillis((long) (elapsed.toMillis() * (1 - share) / share)))
                        + " left";
    }

    /** Seconds, or minutes from two on. */
    static String inWords(Duration time) {
        return time.toSeconds() < 120 ? time.toSeconds() + " s" : (time.toSeconds() + 30) / 60 + " min";
    }
}
