package dev.tilewright.space;

/**
 * A rule that the search keeps by itself, and that yields to what a user asks for: what it refuses can be built, and
 * was never worth it.
 *
 * @param about the parameter whose values it judges; a user who names that parameter is not advised
 * @param rule what it judges them by
 */
public record Advice(String about, Constraint rule) {

    public Advice {
        if (!rule.parameters().contains(about)) {
            throw new IllegalArgumentException(
                    "advice '" + rule.id() + "' is about '" + about + "' and does not look at it");
        }
    }
}
