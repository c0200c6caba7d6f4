package dev.tilewright.space.text;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How values of one or more parameters are written in short. The same template prints and reads, so both have one home.
 *
 * @param template the text, with a {@code #} for each number, such as {@code c#x#}
 * @param fixed values that the text says without a number, such as {@code rasterOrder=groupedM}
 * @param implied values that a reader gets besides: with the others, no other value has a meaning
 * @param numbers parameters whose whole numbers replace {@code #}, in this order
 * @param meaning for the legend, from the numbers
 */
public record Spelling(
        String template, Config fixed, Config implied, List<String> numbers, Function<List<Integer>, String> meaning) {

    private static final String NUMBER = "#";
    private static final String DIGITS = "(0|[1-9]\\d{0,8})";

    /** @throws IllegalArgumentException if the template has another number of {@code #} than there are numbers */
    public Spelling {
        numbers = List.copyOf(numbers);
        if (parts(template).length != numbers.size() + 1) {
            throw new IllegalArgumentException(
                    "'" + template + "' needs a " + NUMBER + " for each of " + numbers + ", no more and no fewer");
        }
    }

    /** The numbers of these parameters in a template. */
    public static Spelling of(String template, Function<List<Integer>, String> meaning, String... numbers) {
        return new Spelling(template, Config.of(Map.of()), Config.of(Map.of()), List.of(numbers), meaning);
    }

    /** A text without numbers for these {@code name=value} pairs. */
    public static Spelling named(String text, String pairs, String meaning) {
        return new Spelling(text, Config.parse(pairs), Config.of(Map.of()), List.of(), _ -> meaning);
    }

    /** The same for further {@code name=value} pairs, which the text itself says. */
    public Spelling with(String pairs) {
        return new Spelling(template, fixed.with(pairs), implied, numbers, meaning);
    }

    /** The same, which a reader takes for these {@code name=value} pairs too. */
    public Spelling implying(String pairs) {
        return new Spelling(template, fixed, Config.parse(pairs), numbers, meaning);
    }

    private static String[] parts(String template) {
        return template.split(NUMBER, -1);
    }

    /** All parameters that it says. */
    Stream<String> parameters() {
        return Stream.of(fixed.values().keySet(), implied.values().keySet(), numbers)
                .flatMap(Collection::stream);
    }

    /** The mark of a config; empty if this spelling does not say its values, or not all of them are there. */
    Optional<Mark> mark(Config config) {
        boolean says = fixed.values().entrySet().stream()
                        .allMatch(each -> config.has(each.getKey())
                                && config.value(each.getKey()).equals(each.getValue()))
                && numbers.stream().allMatch(name -> number(config, name).isPresent());
        if (!says) {
            return Optional.empty();
        }
        List<Integer> values =
                numbers.stream().flatMap(name -> number(config, name).stream()).toList();
        String[] parts = parts(template);
        StringBuilder text = new StringBuilder(parts[0]);
        for (int i = 0; i < values.size(); i++) {
            text.append(values.get(i)).append(parts[i + 1]);
        }
        return Optional.of(new Mark(template, text.toString(), meaning.apply(values)));
    }

    private static Optional<Integer> number(Config config, String name) {
        return config.has(name) && config.value(name) instanceof ParameterValue.Whole(int value) && value >= 0
                ? Optional.of(value)
                : Optional.empty();
    }

    /** The values that a word of a config in short says; empty if it is not spelled so. */
    Optional<Map<String, ParameterValue>> read(String word) {
        String[] parts = parts(template);
        if (!word.startsWith(parts[0])) {
            return Optional.empty();
        }
        Matcher matcher = Pattern.compile(Stream.of(parts).map(Pattern::quote).collect(Collectors.joining(DIGITS)))
                .matcher(word);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Map<String, ParameterValue> values = new TreeMap<>(fixed.values());
        values.putAll(implied.values());
        for (int i = 0; i < numbers.size(); i++) {
            values.put(numbers.get(i), ParameterValue.parse(matcher.group(i + 1)));
        }
        return Optional.of(values);
    }
}
