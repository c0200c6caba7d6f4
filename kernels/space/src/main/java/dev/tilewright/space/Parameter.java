package dev.tilewright.space;

import dev.tilewright.model.space.ParameterValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An axis of a search space.
 *
 * @param name the same in {@code --set}, JSON, Postgres and pages
 * @param kind whether another value means another PTX text
 * @param values what may be tried, in the order in which it is tried
 * @param usual those of the values that are tried unless the user asks for others, because they have paid off before
 * @param absent the value of a config that does not have the parameter; empty where each config must have it
 * @throws IllegalArgumentException if a value is listed twice, there is none, or a usual one is not listed
 */
public record Parameter(
        String name,
        Kind kind,
        List<ParameterValue> values,
        List<ParameterValue> usual,
        Optional<ParameterValue> absent) {

    /**
     * A text parameter changes the PTX; a launch parameter does not, so that the text is assembled once for all values.
     */
    public enum Kind {
        TEXT,
        LAUNCH
    }

    /** So many neighbours more than the first make a run long. */
    private static final int LONG_RUN = 12;

    public Parameter {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("parameter '" + name + "' has no values");
        }
        if (new HashSet<>(values).size() < values.size()) {
            throw new IllegalArgumentException("parameter '" + name + "' lists a value twice: " + values);
        }
        usual = List.copyOf(usual);
        if (usual.isEmpty() || !values.containsAll(usual)) {
            throw new IllegalArgumentException(
                    "the usual values " + usual + " of parameter '" + name + "' must be some of its values " + values);
        }
    }

    /** All values are usual. */
    public Parameter(String name, Kind kind, List<ParameterValue> values) {
        this(name, kind, values, values, Optional.empty());
    }

    /** The same with fewer values, all of them usual. */
    public Parameter of(List<ParameterValue> fewer) {
        return new Parameter(name, kind, fewer, fewer, absent);
    }

    /** The same, of which a config that does not have it has this value. */
    public Parameter or(ParameterValue value) {
        return new Parameter(name, kind, values, usual, Optional.of(value));
    }

    /** The same with these whole numbers as the usual ones, as far as they are listed; at least one must be. */
    public Parameter usually(int... usual) {
        return usually(whole(usual));
    }

    /** The same with these names as the usual ones, as far as they are listed; at least one must be. */
    public Parameter usually(String... usual) {
        return usually(names(usual));
    }

    private Parameter usually(List<ParameterValue> usual) {
        return new Parameter(
                name, kind, values, values.stream().filter(usual::contains).toList(), absent);
    }

    /** A text parameter with whole numbers. */
    public static Parameter text(String name, int... values) {
        return new Parameter(name, Kind.TEXT, whole(values));
    }

    /** A text parameter with names. */
    public static Parameter text(String name, String... values) {
        return new Parameter(name, Kind.TEXT, names(values));
    }

    /** A launch parameter with whole numbers. */
    public static Parameter launch(String name, int... values) {
        return new Parameter(name, Kind.LAUNCH, whole(values));
    }

    /** A launch parameter with names. */
    public static Parameter launch(String name, String... values) {
        return new Parameter(name, Kind.LAUNCH, names(values));
    }

    /** Its values for people: a long run of whole numbers by its ends, such as {@code 1 to 634}. */
    public String known() {
        return String.join(", ", said(value -> value.toString(), values));
    }

    /**
     * Values for people, each as it is to be written; a long run of neighbours that are written as they are is said by
     * its ends.
     */
    public static List<String> said(Function<ParameterValue, String> form, List<ParameterValue> values) {
        List<String> said = new ArrayList<>();
        for (int from = 0; from < values.size(); ) {
            int to = from;
            while (to + 1 < values.size() && isNext(form, values.get(to), values.get(to + 1))) {
                to++;
            }
            if (to - from >= LONG_RUN) {
                said.add(form.apply(values.get(from)) + " to " + form.apply(values.get(to)));
                from = to + 1;
            } else {
                said.add(form.apply(values.get(from)));
                from++;
            }
        }
        return said;
    }

    /** Whether both are whole numbers, neighbours, and written alike. */
    private static boolean isNext(Function<ParameterValue, String> form, ParameterValue one, ParameterValue other) {
        return one instanceof ParameterValue.Whole(int first)
                && other instanceof ParameterValue.Whole(int second)
                && second == first + 1
                && form.apply(one).equals(one.toString()) == form.apply(other).equals(other.toString());
    }

    private static List<ParameterValue> whole(int... values) {
        return java.util.Arrays.stream(values).mapToObj(ParameterValue::of).toList();
    }

    private static List<ParameterValue> names(String... values) {
        return java.util.Arrays.stream(values).map(ParameterValue::of).toList();
    }
}
