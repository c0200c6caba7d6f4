package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.Violation;
import java.util.Arrays;
import java.util.List;

/**
 * A rule that a build asks, once for each combination of the values that it looks at. A path has the index of a value
 * for each level.
 */
final class AskedRule {

    /** Combinations whose answers stand in an array; those of more stand in a hash table. */
    private static final long MOST_IN_AN_ARRAY = 1 << 20;

    private static final byte KEPT = 1;
    private static final byte BROKEN = 2;

    private final Constraint constraint;
    /** The levels of its parameters, in the order of the names. */
    private final int[] levels;

    private final int[] counts;
    private final ParameterValue[][] values;
    private final String[] names;
    private final int decidedAt;
    private final LongIndex asked = new LongIndex();
    private final boolean inAnArray;
    /** By combination, or by the number of the combination; 0 where it was not asked. */
    private byte[] answers;

    /** @param order the parameters by level */
    AskedRule(Constraint constraint, List<Parameter> order) {
        this.constraint = constraint;
        names = constraint.parameters().stream().distinct().sorted().toArray(String[]::new);
        levels = new int[names.length];
        counts = new int[names.length];
        values = new ParameterValue[names.length][];
        long combinations = 1;
        for (int i = 0; i < names.length; i++) {
            levels[i] = level(names[i], order);
            List<ParameterValue> all = order.get(levels[i]).values();
            counts[i] = all.size();
            values[i] = all.toArray(ParameterValue[]::new);
            combinations = Math.multiplyExact(combinations, counts[i]);
        }
        decidedAt = Arrays.stream(levels).max().orElseThrow();
        inAnArray = combinations <= MOST_IN_AN_ARRAY;
        answers = new byte[inAnArray ? (int) combinations : 16];
    }

    private static int level(String name, List<Parameter> order) {
        int level = 0;
        while (!order.get(level).name().equals(name)) {
            level++;
        }
        return level;
    }

    /** The level at which all that it looks at has a value. */
    int decidedAt() {
        return decidedAt;
    }

    int[] levels() {
        return levels;
    }

    /** Whether a tree must ask it: not a rule about one parameter that all listed values keep. */
    boolean mayCut() {
        if (levels.length > 1) {
            return true;
        }
        int[] path = new int[decidedAt + 1];
        for (int value = 0; value < counts[0]; value++) {
            path[decidedAt] = value;
            if (isBroken(path)) {
                return true;
            }
        }
        return false;
    }

    boolean isBroken(int[] path) {
        long combination = 0;
        for (int i = 0; i < levels.length; i++) {
            combination = combination * counts[i] + path[levels[i]];
        }
        int index = inAnArray ? (int) combination : asked.add(combination);
        if (index >= answers.length) {
            answers = Arrays.copyOf(answers, 2 * answers.length);
        }
        if (answers[index] == 0) {
            answers[index] = constraint.check().apply(seen(path)).isPresent() ? BROKEN : KEPT;
        }
        return answers[index] == BROKEN;
    }

    /** Why a path breaks it. */
    Violation violation(int[] path) {
        return constraint.violation(seen(path)).orElseThrow();
    }

    private Config seen(int[] path) {
        ParameterValue[] seen = new ParameterValue[names.length];
        for (int i = 0; i < seen.length; i++) {
            seen[i] = values[i][path[levels[i]]];
        }
        return Config.ofSorted(names, seen);
    }
}
