package dev.tilewright.worker.cli.refresh;

import dev.tilewright.model.exchange.BestConfigs.BestConfig;
import dev.tilewright.model.space.Config;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The finding on a best config that was timed again.
 *
 * @param winner the config that is best of its set now
 * @param time of that config in a new final; {@code null} if it has none
 * @param trouble why nothing can be said of it, or why it must be tuned again; empty if nothing is in the way
 */
public record Refreshed(
        BestConfig known,
        Decision decision,
        Config winner,
        @Nullable Time time,
        String trouble) {

    /** More of its speed than this is lost: it is tuned again. */
    static final double MOST_LOST = 0.01;

    /** The decision about a stored config. */
    public enum Decision {
        KEPT,
        RETUNE,
        UNDECIDED
    }

    /** @param ratioToDefault time of the vendor's default kernel over its own; {@code null} if that did not run */
    public record Time(double medianNs, @Nullable Double ratioToDefault) {}

    public static Refreshed timed(BestConfig known, Config winner, Time time) {
        Refreshed measured = new Refreshed(known, Decision.KEPT, winner, time, "");
        boolean lost = measured.lost().orElseThrow() > MOST_LOST;
        return lost || measured.isAnother() ? new Refreshed(known, Decision.RETUNE, winner, time, "") : measured;
    }

    public static Refreshed retune(BestConfig known, String trouble) {
        return new Refreshed(known, Decision.RETUNE, known.config(), null, trouble);
    }

    public static Refreshed undecided(BestConfig known, String trouble) {
        return new Refreshed(known, Decision.UNDECIDED, known.config(), null, trouble);
    }

    /** Whether another config of the set is best now. */
    public boolean isAnother() {
        return !winner.equals(known.config());
    }

    /**
     * The part of its speed that is lost. Clocks differ from run to run by percents, so it is the speed over the
     * vendor's default kernel of the same run where both finals have it.
     */
    public OptionalDouble lost() {
        if (time == null) {
            return OptionalDouble.empty();
        }
        return known.ratioToDefault() != null && time.ratioToDefault() != null
                ? OptionalDouble.of(1 - time.ratioToDefault() / known.ratioToDefault())
                : OptionalDouble.of(1 - known.medianNs() / time.medianNs());
    }

    /** The decision and its reason, in words. */
    public String words() {
        return switch (decision) {
            case KEPT -> "kept";
            case UNDECIDED -> "not decided: " + trouble;
            case RETUNE -> "tune again: " + (trouble.isEmpty() ? reason() : trouble);
        };
    }

    private String reason() {
        double lost = lost().orElse(0);
        String part = String.format(
                Locale.ROOT,
                "%.1f %% of its speed %s lost",
                100 * lost,
                known.ratioToDefault() == null ? "(other runs, so other clocks) is" : "is");
        return isAnother() ? "another of its set won" + (lost > MOST_LOST ? ", and " + part : "") : part;
    }
}
