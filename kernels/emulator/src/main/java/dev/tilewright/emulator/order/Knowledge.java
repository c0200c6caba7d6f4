package dev.tilewright.emulator.order;

/**
 * What flows along synchronisation.
 *
 * @param visible what happened before and can be seen
 * @param done all that, and asynchronous work that is known to be over though the order's scope was too narrow to make
 *     it visible: enough to overwrite what that work read or wrote
 */
record Knowledge(Clock visible, Clock done) {
    static final Knowledge START = new Knowledge(Clock.START, Clock.START);

    static Knowledge of(Clock clock) {
        return new Knowledge(clock, clock);
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
        if (seen == visible && over == done) {
            return this;
        }
        return seen == other.visible && over == other.done ? other : new Knowledge(seen, over);
    }

    /** Learns only that the other's work is over. */
    Knowledge joinDone(Knowledge other) {
        Clock over = done.join(other.done);
        return over == done ? this : new Knowledge(visible, over);
    }

    Knowledge with(Agent agent, int lanes, int epoch) {
        Clock seen = visible.with(agent, lanes, epoch);
        return new Knowledge(seen, visible == done ? seen : done.with(agent, lanes, epoch));
    }
}
