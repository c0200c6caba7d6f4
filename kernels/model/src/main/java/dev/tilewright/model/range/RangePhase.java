package dev.tilewright.model.range;

import java.util.Locale;

/** The phase of a range of M that is tuned; each but the last has studies of its own. */
public enum RangePhase {
    /** The space is searched at some M. */
    SEARCH,
    /** The finds of the searches are timed at more M, to choose the kernels of the table. */
    FINDS,
    /** The few that were chosen are timed at many M, to see which takes over from which. */
    CROSSINGS,
    /** The table is held against the most promising other kernels, at M that took no part so far. */
    CHECKS,
    /** The table stands, or there is none. */
    OVER;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
