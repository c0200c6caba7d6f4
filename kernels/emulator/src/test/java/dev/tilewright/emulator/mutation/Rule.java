package dev.tilewright.emulator.mutation;

import java.util.Locale;

/** The rules of {@code docs/emulator/mutation.md}, in its order. */
public enum Rule {
    FENCE,
    WAIT,
    WAIT_COUNT,
    WAIT_READ,
    ARRIVE,
    ARRIVE_PLACE,
    COMMIT,
    EXPECT,
    PARITY,
    STAGE,
    OFFSET,
    PREDICATE,
    INIT_COUNT,
    ORDER,
    SCOPE,
    MULTICAST,
    REGISTERS,
    DESCRIPTOR,
    NAMED_BARRIER,
    SCHEDULER,
    CLUSTER_BARRIER;

    /** As the document writes it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
