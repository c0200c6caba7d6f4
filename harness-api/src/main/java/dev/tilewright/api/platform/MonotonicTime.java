package dev.tilewright.api.platform;

/** Time that goes on evenly whoever sets the clock, for how long something lasts. */
@FunctionalInterface
public interface MonotonicTime {

    /** Nanoseconds since some moment. */
    long nanos();
}
