package dev.tilewright.emulator.run;

/**
 * The rule that decides which strand runs next. In every mood the seed chooses when asynchronous work advances and when
 * lanes run apart.
 */
public enum Mood {
    /** Round robin, in the order in which they became ready. */
    IN_TURN,
    /** Any that can run. */
    RANDOM,
    /** One role, warp or CTA is starved, or runs ahead of all others. */
    ADVERSARIAL
}
