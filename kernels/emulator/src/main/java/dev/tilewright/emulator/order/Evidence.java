package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Site;

/** An executed instruction, remembered. */
@FunctionalInterface
public interface Evidence {
    /** Where a lane executed it. */
    Site site(int lane);
}
