package dev.tilewright.api.study;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.family.AskedSpace;
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
     * The restricted part of a space. One value for each parameter is a config that somebody names: it may be any
     * kernel of the problem.
     *
     * @throws IllegalArgumentException naming the parameter or value that the space does not have
     */
    public SearchSpace of(AskedSpace space) {
        SearchSpace searched = space.searched();
        if (namesOne(searched)) {
            Map<String, ParameterValue> config = new TreeMap<>();
            values.forEach((name, only) -> config.put(name, only.getFirst()));
            return space.only(Config.of(config));
        }
        return full ? searched.restrict(values) : searched.usual(values);
    }

    private boolean namesOne(SearchSpace searched) {
        return values.values().stream().allMatch(only -> only.size() == 1)
                && searched.parameters().stream().map(Parameter::name).allMatch(values::containsKey);
    }
}
