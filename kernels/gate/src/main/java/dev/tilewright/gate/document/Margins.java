package dev.tilewright.gate.document;

/**
 * How much slower than its baseline a case may be, in percent of the time of a launch.
 *
 * @param warn more than this warns
 * @param fail more than this fails
 */
public record Margins(double warn, double fail) {

    /** Half a percent and one percent. */
    public static final Margins STANDARD = new Margins(0.5, 1);

    public Margins {
        if (!(warn > 0 && warn <= fail && fail <= 100)) {
            throw new IllegalArgumentException(
                    "margins are percentages with 0 < warn <= fail <= 100, got warn " + warn + " and fail " + fail);
        }
    }
}
