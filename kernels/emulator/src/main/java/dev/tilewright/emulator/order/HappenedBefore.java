package dev.tilewright.emulator.order;

/**
 * What flows along synchronisation.
 *
 * @param visible what happened before and can be seen
 * @param done all that, and asynchronous work that is known to be over though the order's scope was too narrow to make
 *     it visible: enough to overwrite what that work read or wrote
 * @param wider what could be seen if arrivals and waits of CTA scope reached the cluster, and relaxed meetings handed
 *     over the inits of barriers, as they do on hardware: what is in here alone breaks
 *     {@link dev.tilewright.emulator.hazard.Rule#CLUSTER_SCOPE} or INIT_UNFENCED
 */
record HappenedBefore(Clock visible, Clock done, Clock wider) {
    static final HappenedBefore START = of(Clock.START);

    static HappenedBefore of(Clock clock) {
        return new HappenedBefore(clock, clock, clock);
    }

    HappenedBefore join(HappenedBefore other) {
        if (this == other || other == START) {
            return this;
        }
        if (this == START) {
            return other;
        }
        Clock seen = visible.join(other.visible);
        Clock over = visible == done && other.visible == other.done ? seen : done.join(other.done);
        Clock all = visible == wider && other.visible == other.wider ? seen : wider.join(other.wider);
        if (seen == visible && over == done && all == wider) {
            return this;
        }
        return seen == other.visible && over == other.done && all == other.wider
                ? other
                : new HappenedBefore(seen, over, all);
    }

    /** Learns through a scope that is too narrow: that the other's work is over, and what a wider one would tell. */
    HappenedBefore joinNarrow(HappenedBefore other) {
        Clock over = done.join(other.done);
        Clock all = wider.join(other.wider);
        return over == done && all == wider ? this : new HappenedBefore(visible, over, all);
    }

    HappenedBefore with(Agent agent, int lanes, int epoch) {
        Clock seen = visible.with(agent, lanes, epoch);
        return new HappenedBefore(
                seen,
                visible == done ? seen : done.with(agent, lanes, epoch),
                visible == wider ? seen : wider.with(agent, lanes, epoch));
    }
}
