package dev.tilewright.space;

import dev.tilewright.model.space.Violation;
import java.util.SortedMap;

/**
 * How large a space is and what its constraints took away.
 *
 * @param points all combinations of values
 * @param size the combinations that keep every rule
 * @param prunedBy for each rule, how many combinations it took away; a combination counts for the first rule it breaks,
 *     so that {@code points = size + sum(prunedBy)}
 * @param examples for each rule in {@code prunedBy}, one combination it took away, with the reason
 */
public record SpaceSummary(
        long points, long size, SortedMap<String, Long> prunedBy, SortedMap<String, Violation> examples) {}
