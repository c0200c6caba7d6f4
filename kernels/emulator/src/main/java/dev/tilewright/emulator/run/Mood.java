package dev.tilewright.emulator.run;

/** How strands take turns. When asynchronous work is done, and when lanes run apart, is the seed's choice in each. */
public enum Mood {
    /** Round robin, in the order in which they became ready. */
    IN_TURN,
    /** Any that can run. */
    RANDOM,
    /** One role, warp or CTA is starved, or runs ahead of all others. */
    ADVERSARIAL
}
