package dev.tilewright.space.parameter;

/**
 * When the loading thread asks for a block of K. SMs of one GPC that ask for the same bytes at nearly the same time get
 * one answer from L2. The GPU's timer is the same for all of them, so that clusters that load at its ticks ask
 * together, and L2 reads less. No cycles are won by that, but energy: where power limits the clock, the clock rises.
 */
public enum LoadStart {
    /** As soon as a stage is free. */
    FREE("free"),
    /** At the first tick of the timer after a stage has become free. */
    TICK("tick");

    private final String value;

    LoadStart(String value) {
        this.value = value;
    }

    @Override
    public String toString() {
        return value;
    }
}
