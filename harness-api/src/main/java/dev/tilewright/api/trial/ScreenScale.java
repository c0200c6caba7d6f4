package dev.tilewright.api.trial;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The scale by which the screens of a study on a GPU are compared: the best that all of them have.
 *
 * <p>Both looks at a launch that a screen has are off at times. Its time over the anchor's is right if both ran at one
 * clock; a kernel that draws less power than the anchor, or more, does not. Its cycles are right if nothing in it waits
 * for what has a clock of its own, as DRAM has. {@code ScreenScaleTest} holds all of them against the races of the
 * stored studies: cycles foretell these better than the ratio, and with a quarter of it not worse.
 */
public enum ScreenScale {
    /** Cycles, three parts of four, and time over the anchor's, as a geometric mean. */
    CYCLES_AND_ANCHOR {
        @Override
        public double time(ScreenTime screen) {
            return Math.pow(CYCLES.time(screen), 0.75) * Math.pow(ANCHOR.time(screen), 0.25);
        }
    },
    /** Cycles. */
    CYCLES {
        @Override
        public double time(ScreenTime screen) {
            return screen.medianNs() * known(screen.smClockMhz()) / 1e3;
        }
    },
    /** Time over that of the anchor beside it. */
    ANCHOR {
        @Override
        public double time(ScreenTime screen) {
            return 1 / known(screen.ratioToAnchor());
        }
    },
    /** Time. */
    TIME {
        @Override
        public double time(ScreenTime screen) {
            return screen.medianNs();
        }
    };

    /**
     * The measurement of a screen.
     *
     * @param medianNs of a launch
     * @param smClockMhz that it ran at; {@code null} if it was not read
     * @param ratioToAnchor speed over that of the anchor beside it; {@code null} if there was none
     */
    public record ScreenTime(
            double medianNs,
            @Nullable Double smClockMhz,
            @Nullable Double ratioToAnchor) {}

    /** Time of a launch in a unit that is the same for all screens of a study, the less the better. */
    public abstract double time(ScreenTime screen);

    /** The scale for these. */
    public static ScreenScale of(Collection<ScreenTime> screens) {
        boolean clocks = screens.stream().allMatch(screen -> screen.smClockMhz() != null);
        boolean anchors = screens.stream().allMatch(screen -> screen.ratioToAnchor() != null);
        if (clocks) {
            return anchors ? CYCLES_AND_ANCHOR : CYCLES;
        }
        return anchors ? ANCHOR : TIME;
    }

    private static double known(@Nullable Double value) {
        if (value == null) {
            throw new IllegalArgumentException("a screen lacks what the scale compares by");
        }
        return value;
    }
}
