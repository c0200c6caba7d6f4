package dev.tilewright.model.text;

import java.util.Locale;

/** A duration in microseconds as boards and pages write it. */
public final class Microseconds {

    private Microseconds() {}

    /** Three digits at the least, without the unit. */
    public static String of(double durationNs) {
        double us = durationNs / 1e3;
        return String.format(Locale.ROOT, us < 10 ? "%.2f" : us < 1e5 ? "%.1f" : "%.0f", us);
    }
}
