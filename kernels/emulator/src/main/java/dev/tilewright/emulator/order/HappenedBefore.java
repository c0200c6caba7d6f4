package dev.tilewright.emulator.order;

/**
 * The knowledge that flows along synchronisation.
 *
 * @param visible accesses that happened before and can be seen
 * @param done these, and asynchronous work that is known to be over though the order's scope was too narrow to make it
 *     visible: enough to overwrite the bytes that this work read or wrote
 * @param wider accesses that could be seen if arrivals and waits of CTA scope reached the cluster, and relaxed meetings
 *     handed over the inits of barriers, as they do on hardware: relying on an access that is in here alone breaks
 *     {@link dev.tilewright.emulator.hazard.Rule#CLUSTER_SCOPE} or INIT_UNFENCED
 * @param told accesses that could be seen if every synchronisation released and acquired, relaxed or not and of any
 *     scope: a thread has a sign of an access that is in here alone, but may still find the old value. Relying on such
 *     a sign breaks {@link dev.tilewright.emulator.hazard.Rule#RELAXED_MESSAGE}
 */
record HappenedBefore(Clock visible, Clock done, Clock wider, Clock told) {
    static final HappenedBefore START = of(Clock.START);

    static HappenedBefore of(Clock clock) {
        return new HappenedBefore(clock, clock, clock, clock);
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
        Clock signs = visible == told && other.visible == other.told ? seen : told.join(other.told);
        if (seen == visible && over == done && all == wider && signs == told) {
            return this;
        }
        return seen == other.visible && over == other.done && all == other.wider && signs == other.told
                ? other
                : new HappenedBefore(seen, over, all, signs);
    }

    /** Learns through a scope that is too narrow: that the other's work is over, and what a wider one would tell. */
    HappenedBefore joinNarrow(HappenedBefore other) {
        Clock over = done.join(other.done);
        Clock all = wider.join(other.wider);
        Clock signs = told.join(other.told);
        return over == done && all == wider && signs == told ? this : new HappenedBefore(visible, over, all, signs);
    }

    /** Gets a sign that the other happened, and no order. */
    HappenedBefore joinTold(HappenedBefore other) {
        Clock signs = told.join(other.told);
        return signs == told ? this : new HappenedBefore(visible, done, wider, signs);
    }

    HappenedBefore with(Agent agent, int lanes, int epoch) {
        Clock seen = visible.with(agent, lanes, epoch);
        return new HappenedBefore(
                seen,
                visible == done ? seen : done.with(agent, lanes, epoch),
                visible == wider ? seen : wider.with(agent, lanes, epoch),
                visible == told ? seen : told.with(agent, lanes, epoch));
    }
}
