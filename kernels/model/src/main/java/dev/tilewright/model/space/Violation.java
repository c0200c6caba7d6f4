package dev.tilewright.model.space;

/**
 * Why a config is pruned.
 *
 * @param constraint the id of the rule
 * @param reason what is wrong, with the numbers
 * @param values the values that the rule looked at
 */
public record Violation(String constraint, String reason, Config values) {

    /** Of a value that is missing, superfluous or not listed. */
    public static final String VALUES = "values";

    @Override
    public String toString() {
        if (constraint.equals(VALUES)) {
            return reason;
        }
        return constraint + ": " + reason + " (" + values.canonical() + ")";
    }
}
