package dev.tilewright.simulator;

import dev.tilewright.model.problem.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * The events that a launch meets while it runs, beside the SMs that its {@link dev.tilewright.model.problem.Scenario}
 * says are busy. By how much tiles vary is a constant of the GPU and no condition.
 *
 * @param variation whether equal tiles differ in time, as the constants of the GPU say
 * @param busyUntilNs when the busy SMs of the scenario become free, counted from the start of the launch; infinite if
 *     they do not
 * @param arrival a kernel of higher priority that comes meanwhile; {@code null} if none does
 */
public record Conditions(
        boolean variation, double busyUntilNs, @Nullable Arrival arrival) {

    /** Tiles vary in time, busy SMs stay busy, and no other kernel comes. */
    public static final Conditions USUAL = new Conditions(true, Double.POSITIVE_INFINITY, null);

    public Conditions {
        if (!(busyUntilNs > 0)) {
            throw new IllegalArgumentException("busyUntilNs must be above 0, got " + busyUntilNs);
        }
    }

    /**
     * A kernel of higher priority, which takes SMs as clusters leave them and stops no cluster that runs.
     *
     * @param atNs when it comes, counted from the start of the launch
     * @param sms how many SMs it wants
     * @param heldNs for how long it keeps each; infinite if for the rest of the launch
     */
    public record Arrival(double atNs, int sms, double heldNs) {

        public Arrival {
            if (!(atNs >= 0)) {
                throw new IllegalArgumentException("atNs must be at least 0, got " + atNs);
            }
            if (sms < 1) {
                throw new IllegalArgumentException("sms must be at least 1, got " + sms);
            }
            if (!(heldNs > 0)) {
                throw new IllegalArgumentException("heldNs must be above 0, got " + heldNs);
            }
        }
    }

    /** How many SMs of a scenario stay busy to the end. */
    int heldSms(Scenario scenario) {
        return Double.isInfinite(busyUntilNs) ? scenario.busySms() : 0;
    }

    /** Every tile takes what the model says, without a difference between equal ones. */
    public Conditions withoutVariation() {
        return new Conditions(false, busyUntilNs, arrival);
    }

    /** The busy SMs become free at this time. */
    public Conditions withBusyUntil(double ns) {
        return new Conditions(variation, ns, arrival);
    }

    /** This kernel comes. */
    public Conditions with(Arrival newcomer) {
        return new Conditions(variation, busyUntilNs, newcomer);
    }
}
