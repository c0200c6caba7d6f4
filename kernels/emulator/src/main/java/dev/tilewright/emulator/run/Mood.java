package dev.tilewright.emulator.run;

/**
 * Which strand goes on next. When asynchronous work is done, and when lanes run apart, is the seed's choice in each.
 */
public enum Mood {
    /** Round robin, in the order in which they became ready. */
    IN_TURN,
    /** Any that can run. */
    RANDOM,
    /** One role, warp or CTA is starved, or runs ahead of all others. */
    ADVERSARIAL
}
