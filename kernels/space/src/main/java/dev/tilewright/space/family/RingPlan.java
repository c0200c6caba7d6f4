package dev.tilewright.space.family;

/**
 * The ring through which a dynamic scheduler hands out tiles.
 *
 * @param slots of the ring
 * @param prefetch queries in flight, 1..slots
 * @param throttle what a query waits for
 */
public record RingPlan(int slots, int prefetch, Throttle throttle) {

    public RingPlan {
        if (slots < 1) {
            throw new IllegalArgumentException("a ring has at least 1 slot, got " + slots);
        }
        if (prefetch < 1 || prefetch > slots) {
            throw new IllegalArgumentException("queries in flight must be from 1 to the " + slots
                    + " slots that take their answers, got " + prefetch);
        }
    }
}
