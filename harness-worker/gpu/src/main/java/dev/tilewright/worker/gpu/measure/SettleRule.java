package dev.tilewright.worker.gpu.measure;

/**
 * When the clock counts as settled: over a window that slides, it neither climbs nor falls nor swings too much.
 *
 * @param windowNs length of the window
 * @param leastNs how long to run at the least
 * @param mostNs how long at the most; what is not settled by then is unsettled
 * @param slope greatest change of the clock, as a share of it per second
 * @param spread greatest distance between two tenths of the window, as a share of the clock
 */
public record SettleRule(double windowNs, double leastNs, double mostNs, double slope, double spread) {

    /**
     * The rule for races, comparisons and gates: a GPU that comes from a sweep is warm. At the power limit of an H200
     * the clock was still seen to swing by 7.6 % after two seconds of load: to wait for longer does not help.
     */
    public static final SettleRule RACE = new SettleRule(0.25e9, 0.25e9, 0.5e9, 0.02, 0.02);
}
