package dev.tilewright.simulator;

import dev.tilewright.model.space.Config;

/** The operand that L2 is asked to keep while the other one passes through ({@code l2Hint}). */
enum KeptOperand {
    NONE,
    A,
    B;

    /**
     * None if the config does not say.
     *
     * @throws IllegalArgumentException naming the value, if it is none of these
     */
    static KeptOperand of(Config config) {
        if (!config.has("l2Hint")) {
            return NONE;
        }
        return switch (config.name("l2Hint")) {
            case "none" -> NONE;
            case "keepA" -> A;
            case "keepB" -> B;
            default ->
                throw new IllegalArgumentException(
                        "unknown l2Hint '" + config.name("l2Hint") + "'; known: none, keepA, keepB");
        };
    }
}
