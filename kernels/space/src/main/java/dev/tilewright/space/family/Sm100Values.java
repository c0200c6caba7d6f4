package dev.tilewright.space.family;

import dev.tilewright.model.problem.DataType;

/**
 * The text parameters of {@code sm100-gemm} by type, for rules and resources. {@link Sm100Config} has all of them, and
 * says what they mean; {@link Sm100Reading} has those that the config of one rule has.
 */
sealed interface Sm100Values permits Sm100Config, Sm100Reading {

    Scheduler scheduler();

    int ctaGroup();

    int tileM();

    int tileN();

    int tileK();

    int loadStages();

    int accumulatorStages();

    /** Slots of the scheduler's ring. */
    int clcStages();

    /** Queries in flight. */
    int clcPrefetch();

    /** The event that a query waits for. */
    Throttle clcThrottle();

    int clusterM();

    int clusterN();

    boolean multicast();

    int epilogueN();

    DataType inputType();

    DataType outputType();

    /** CTAs of a cluster. */
    default int clusterSize() {
        return clusterM() * clusterN();
    }
}
