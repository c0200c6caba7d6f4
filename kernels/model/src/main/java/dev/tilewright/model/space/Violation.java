package dev.tilewright.model.space;

/**
 * Why a config is pruned.
 *
 * @param constraint the id of the rule
 * @param reason what is wrong, with the numbers
 * @param values the values that the rule looked at
 */
public record Violation(String constraint, String reason, Config values) {

    @Override
    public String toString() {
        return constraint + ": " + reason + " (" + values.canonical() + ")";
    }
}
