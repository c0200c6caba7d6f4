package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Site;

/** An executed instruction, remembered. It may be kept for the rest of the run, so it must hold nothing large. */
public interface Evidence {
    /** Index of the instruction in the program. */
    int statement();

    /** The site of the instruction, for the first lane concerned. */
    Site site();

    /** The site of the instruction for one lane. */
    Site site(int lane);
}
