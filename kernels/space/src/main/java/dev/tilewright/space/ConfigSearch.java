package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for one config of a space without building its tree. Values are tried in the order in which their parameters
 * list them, and a rule is asked as soon as all that it looks at has a value. A dead end leads back to the last
 * parameter that has a part in it (conflict-directed backjumping). The search gives up after a number of rules asked:
 * the tree decides then.
 */
final class ConfigSearch {

    /** Rules asked before the search gives up: a few milliseconds, where a tree takes a hundred and more. */
    private static final int MOST_ASKED = 20_000;

    /** The answer of a search. */
    enum Found {
        A_CONFIG,
        NO_CONFIG,
        GAVE_UP
    }

    /** A rule with its parameters in the order of their names, and those with several values as bits. */
    private record Rule(Constraint constraint, String[] names, int[] levels, long scope) {}

    private final List<Parameter> parameters;
    /** For each level the rules that are decided there. */
    private final List<List<Rule>> rules = new ArrayList<>();
    /** For each level its bit; 0 of a parameter with one value, which has a part in no choice. */
    private final long[] bits;

    private final int[] path;
    private int asked;
    private boolean found;

    ConfigSearch(SearchSpace space) {
        parameters = space.parameters();
        path = new int[parameters.size()];
        bits = new long[parameters.size()];
        int several = 0;
        for (int level = 0; level < bits.length; level++) {
            rules.add(new ArrayList<>());
            if (parameters.get(level).values().size() > 1) {
                bits[level] = several < Long.SIZE ? 1L << several : 0;
                several++;
            }
        }
        if (several > Long.SIZE) {
            asked = MOST_ASKED;
        }
        space.constraints().forEach(this::add);
    }

    private void add(Constraint constraint) {
        String[] names = constraint.parameters().stream().distinct().sorted().toArray(String[]::new);
        int[] levels = Arrays.stream(names).mapToInt(this::level).toArray();
        long scope = Arrays.stream(levels).mapToLong(level -> bits[level]).reduce(0, (all, bit) -> all | bit);
        rules.get(Arrays.stream(levels).max().orElseThrow()).add(new Rule(constraint, names, levels, scope));
    }

    private int level(String name) {
        int level = 0;
        while (!parameters.get(level).name().equals(name)) {
            level++;
        }
        return level;
    }

    /** Looks. */
    Found look() {
        if (asked >= MOST_ASKED) {
            return Found.GAVE_UP;
        }
        below(0);
        if (found) {
            return Found.A_CONFIG;
        }
        return asked >= MOST_ASKED ? Found.GAVE_UP : Found.NO_CONFIG;
    }

    /** The parameters above this level that have a part in its dead end; of no meaning where the search is over. */
    private long below(int level) {
        if (level == parameters.size()) {
            found = true;
            return 0;
        }
        long conflict = 0;
        for (int value = 0; value < parameters.get(level).values().size(); value++) {
            path[level] = value;
            Rule broken = firstBroken(level);
            long dead = broken == null ? below(level + 1) : broken.scope();
            if (found || asked >= MOST_ASKED) {
                return 0;
            }
            if ((dead & bits[level]) == 0) {
                return dead;
            }
            conflict |= dead;
        }
        return conflict & ~bits[level];
    }

    private @Nullable Rule firstBroken(int level) {
        for (Rule rule : rules.get(level)) {
            asked++;
            if (rule.constraint().check().apply(seen(rule)).isPresent()) {
                return rule;
            }
        }
        return null;
    }

    private Config seen(Rule rule) {
        ParameterValue[] values = new ParameterValue[rule.names().length];
        for (int i = 0; i < values.length; i++) {
            int level = rule.levels()[i];
            values[i] = parameters.get(level).values().get(path[level]);
        }
        return Config.ofSorted(rule.names(), values);
    }
}
