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
record Knowledge(Clock visible, Clock done, Clock wider) {
    static final Knowledge START = of(Clock.START);

    static Knowledge of(Clock clock) {
        return new Knowledge(clock, clock, clock);
    }

    Knowledge join(Knowledge other) {
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
                : new Knowledge(seen, over, all);
    }

    /** Learns through a scope that is too narrow: that the other's work is over, and what a wider one would tell. */
    Knowledge joinNarrow(Knowledge other) {
        Clock over = done.join(other.done);
        Clock all = wider.join(other.wider);
        return over == done && all == wider ? this : new Knowledge(visible, over, all);
    }

    Knowledge with(Agent agent, int lanes, int epoch) {
        Clock seen = visible.with(agent, lanes, epoch);
        return new Knowledge(
                seen,
                visible == done ? seen : done.with(agent, lanes, epoch),
                visible == wider ? seen : wider.with(agent, lanes, epoch));
    }
}
