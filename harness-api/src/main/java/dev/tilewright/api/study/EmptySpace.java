package dev.tilewright.api.study;

import dev.tilewright.space.SpaceSummary;
import java.util.List;

/** Says which rules emptied a space. */
public final class EmptySpace {

    private EmptySpace() {}

    /** For each rule that took something away, how much and one example with its values. */
    public static List<String> lines(SpaceSummary summary) {
        return summary.prunedBy().entrySet().stream()
                .map(rule -> "rule " + rule.getKey() + " takes away " + rule.getValue() + " of " + summary.points()
                        + " configs, such as " + summary.examples().get(rule.getKey()))
                .toList();
    }
}
