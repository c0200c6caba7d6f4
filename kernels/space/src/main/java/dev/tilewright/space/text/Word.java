package dev.tilewright.space.text;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A part of a config in short: one parameter, or several that belong together.
 *
 * @param parameters that it stands for: those of its spellings, kept because pages ask for them for each trial
 * @param spellings how its values are written; the first that says a config's values writes them
 * @param usual the default: values that are left out of a config in short. Empty where every config says the part.
 * @param leads whether the part stands in front of those that are ordered by their names
 * @param ofScheduler whether only some tile schedulers use the parameter: configs of others have it at its default
 */
public record Word(
        List<String> parameters, List<Spelling> spellings, Config usual, boolean leads, boolean ofScheduler) {

    public Word {
        parameters = List.copyOf(parameters);
        spellings = List.copyOf(spellings);
    }

    private static Word of(List<Spelling> spellings, Config usual, boolean leads) {
        List<String> parameters =
                spellings.stream().flatMap(Spelling::parameters).distinct().toList();
        return new Word(parameters, spellings, usual, leads, false);
    }

    /** A part that stands in front and has no default. */
    public static Word leading(Spelling... spellings) {
        return of(List.of(spellings), Config.of(Map.of()), true);
    }

    /** A part behind the leading ones, whose default is these {@code name=value} pairs. */
    public static Word unless(String usual, Spelling... spellings) {
        return of(List.of(spellings), Config.parse(usual), false);
    }

    /** The same part with these {@code name=value} pairs as its default. */
    public Word usually(String pairs) {
        return new Word(parameters, spellings, Config.parse(pairs), leads, ofScheduler);
    }

    /** The same part, of a parameter that only some tile schedulers use. */
    public Word ofSomeSchedulers() {
        return new Word(parameters, spellings, usual, leads, true);
    }

    /** The mark with its meaning, also of a default; empty if no spelling says the values. */
    Optional<Mark> mark(Config config) {
        return spellings.stream()
                .flatMap(spelling -> spelling.mark(config).stream())
                .findFirst();
    }

    /**
     * The part in a config in short: nothing for the default or where a config has none of the parameters, and
     * {@code name=value} for values that no spelling says.
     */
    Stream<Mark> inShort(Config config) {
        List<String> present = parameters.stream().filter(config::has).toList();
        if (config.only(present).equals(usual) || present.isEmpty()) {
            return Stream.empty();
        }
        return mark(config)
                .map(Stream::of)
                .orElseGet(() -> present.stream().map(name -> Mark.plain(name, config.value(name))));
    }

    /** The values that a word of a text says; empty if it is none of this part. */
    Optional<Map<String, ParameterValue>> read(String word) {
        return spellings.stream()
                .flatMap(spelling -> spelling.read(word).stream())
                .findFirst();
    }

    /** All that may be written, such as {@code coop#|pingpong#}. */
    String choices() {
        return spellings.stream().map(Spelling::template).collect(Collectors.joining("|"));
    }

    /** The value of a parameter as text; empty if the config does not have it. */
    public static Optional<String> value(Config config, String parameter) {
        return config.has(parameter) ? Optional.of(config.value(parameter).toString()) : Optional.empty();
    }
}
