package dev.tilewright.emulator.mutation;

import java.util.Locale;

/** The rules of {@code docs/emulator/mutation.md}, in its order, and those that {@code mutation-sm100.md} adds. */
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
    CLUSTER_BARRIER,
    INSTRUCTION,
    TENSOR_ADDRESS,
    ALLOCATION,
    EARLY_RELEASE,
    LAUNCH_CONTROL,
    EPILOGUE;

    /** As the document writes it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
