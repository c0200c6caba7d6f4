package dev.tilewright.api.study;

import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.SearchSpace;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of its family's space that a study searches.
 *
 * @param values for each restricted parameter the only values that may be tried, in the order of the names
 * @param full whether all values of the others are tried, and not the usual ones alone
 */
public record SpaceRestriction(Map<String, List<ParameterValue>> values, boolean full) {

    /** The default space. */
    public static final SpaceRestriction NONE = new SpaceRestriction(Map.of(), false);

    public SpaceRestriction {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /**
     * The restricted part of a whole space.
     *
     * @throws IllegalArgumentException naming the parameter or value that the space does not have
     */
    public SearchSpace of(SearchSpace whole) {
        return full ? whole.restrict(values) : whole.usual(values);
    }
}
