package dev.tilewright.api.study;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.space.family.FamilySpace;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of its family's space that a study searches.
 *
 * @param values for each restricted parameter the only values that may be tried, in the order of the names
 * @param full whether all values of the others are tried, and not the usual ones alone
 * @param config the one kernel that is tried, with each parameter that it has for any problem of its job; {@code null}
 *     where the values say what is searched, as in all jobs that were stored before it had a place of its own
 */
public record SpaceRestriction(
        Map<String, List<ParameterValue>> values,
        boolean full,
        @Nullable Config config) {

    /** The default space. */
    public static final SpaceRestriction NONE = new SpaceRestriction(Map.of(), false);

    public SpaceRestriction {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** A restriction of what is searched. */
    public SpaceRestriction(Map<String, List<ParameterValue>> values, boolean full) {
        this(values, full, null);
    }

    /** Whether a user left the whole choice to the search. */
    public boolean namesNothing() {
        return values.isEmpty() && config == null;
    }

    /**
     * The restricted part of the space of a problem. A config that somebody names may be any kernel of the problem, and
     * has the name there that a search gives it.
     *
     * @throws IllegalArgumentException naming the parameter or value that the space does not have
     */
    public SearchSpace of(FamilySpace family, Problem problem, DeviceLimits limits) {
        if (config != null) {
            AskedSpace space = AskedSpace.of(family, problem, limits);
            return space.only(space.named(config));
        }
        SearchSpace searched = family.space(problem, limits);
        return full ? searched.restrict(values) : searched.usual(values);
    }
}
