package dev.tilewright.gate.document;

import java.util.Locale;

/** The verdict on a case or on all of them. Written in lower case. */
public enum GateVerdict {
    /** Slower than the baseline by less than the margin of {@link #FAIL}: the interval shows it. */
    PASS,
    /** Slower by more than the margin of a warning. */
    WARN,
    /** Slower by more than the margin that fails: a kernel in two processes, a program in one comparison. */
    FAIL,
    /** Faster by more than the margin of a warning. */
    FASTER,
    /** The blocks do not suffice to say any of these, or the instrument is not to be trusted. */
    INCONCLUSIVE,
    /** Module and launch are those of the baseline. Nothing was timed. */
    UNCHANGED_BINARY,
    /** A kernel computes something else, was refuted, or does not run; a program fails. */
    INVALID;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
