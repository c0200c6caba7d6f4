package dev.tilewright.space.text;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words of a family: how its configs are written in short, and what such a text means. A parameter without a word
 * is written as {@code name=value}, and nothing explains it.
 *
 * @param scheduler the tile scheduler, which every family names first
 * @param words of the other parameters; none if the family did not say what it calls them
 * @param ofTheProblem parameters whose values the problem decides: a config in short leaves them out
 */
public record Vocabulary(Word scheduler, List<Word> words, Set<String> ofTheProblem) {

    public Vocabulary {
        words = List.copyOf(words);
        ofTheProblem = Set.copyOf(ofTheProblem);
    }

    /** Words for configs that leave nothing to the problem. */
    public Vocabulary(Word scheduler, List<Word> words) {
        this(scheduler, words, Set.of());
    }

    /** Whether there are words for the tile scheduler alone. */
    public boolean isPlain() {
        return words.isEmpty();
    }

    /**
     * The marks of a config: first the leading words in their order, then the other parameters in the order of their
     * names. Defaults are left out. So {@code read} gives the values back, without those of the problem; of a family
     * without words only if all its parameters differ.
     *
     * @param differing names of the parameters in which the configs of a table differ
     */
    public List<Mark> marks(Config config, Set<String> differing) {
        List<Mark> marks = new ArrayList<>();
        all().filter(Word::leads).flatMap(word -> word.inShort(config)).forEach(marks::add);
        Set<String> further = new TreeSet<>(config.values().keySet());
        further.removeAll(names(Word::leads));
        further.removeAll(ofTheProblem);
        if (isPlain()) {
            further.retainAll(differing);
        }
        further.forEach(name -> of(name).map(word -> word.inShort(config))
                .orElseGet(() -> Stream.of(Mark.plain(name, config.value(name))))
                .forEach(marks::add));
        return marks;
    }

    private Optional<Word> of(String parameter) {
        return all().filter(word -> word.parameters().contains(parameter)).findFirst();
    }

    /**
     * The values that a text says: words of this vocabulary and {@code name=value} pairs, separated by blanks.
     *
     * @throws IllegalArgumentException naming a word that is none, with all that may be written, or two words that give
     *     one parameter
     */
    public Config read(String text) {
        Map<String, ParameterValue> values = new TreeMap<>();
        Map<String, String> givenBy = new TreeMap<>();
        for (String word : text.isBlank() ? new String[0] : text.strip().split("\\s+")) {
            said(word).forEach((name, value) -> {
                String earlier = givenBy.put(name, word);
                if (earlier != null) {
                    throw new IllegalArgumentException(
                            "parameter '" + name + "' is given twice: by '" + earlier + "' and '" + word + "'");
                }
                values.put(name, value);
            });
        }
        return Config.of(values);
    }

    private Map<String, ParameterValue> said(String word) {
        return word.contains("=")
                ? Config.pairs(word)
                : all().flatMap(each -> each.read(word).stream())
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("'" + word + "' is no part of a config. A part"
                                + " is NAME=VALUE or, with a whole number for each #, one of: "
                                + all().map(Word::choices).collect(Collectors.joining(" "))));
    }

    /** The default of a parameter; empty if every config says it. */
    public Optional<ParameterValue> usual(String parameter) {
        return of(parameter)
                .map(Word::usual)
                .filter(usual -> usual.has(parameter))
                .map(usual -> usual.value(parameter));
    }

    /**
     * Every word of a config with the parameters that it stands for, in the order of the words; parameters without a
     * word come last. A mark is empty where a family has nothing to say of a value.
     */
    public List<Explained> explained(Config config) {
        List<Explained> explained = new ArrayList<>();
        Set<String> rest = new LinkedHashSet<>(config.values().keySet());
        for (Word word : all().toList()) {
            List<String> present =
                    word.parameters().stream().filter(config::has).toList();
            if (!present.isEmpty() && rest.removeAll(present)) {
                explained.add(new Explained(present, word.mark(config)));
            }
        }
        rest.forEach(name -> explained.add(new Explained(List.of(name), Optional.empty())));
        return explained;
    }

    /** Parameters of a config that one word stands for. */
    public record Explained(List<String> parameters, Optional<Mark> mark) {

        /** The mark, or else {@code name=value} for each of the parameters. */
        public Stream<Mark> marks(Config config) {
            return mark.map(Stream::of)
                    .orElseGet(() -> parameters.stream().map(name -> Mark.plain(name, config.value(name))));
        }
    }

    /** Whether two configs are one, but for the tile scheduler and for what one of their schedulers has no use for. */
    public boolean areTwins(Config one, Config other) {
        Set<String> tied = ofSchedulers();
        return Stream.concat(one.values().keySet().stream(), other.values().keySet().stream())
                .filter(name -> !Objects.equals(Word.value(one, name), Word.value(other, name)))
                .allMatch(name -> tied.contains(name) || scheduler.parameters().contains(name));
    }

    /** Names of the parameters that only some tile schedulers use. */
    public Set<String> ofSchedulers() {
        return names(Word::ofScheduler);
    }

    private Stream<Word> all() {
        return Stream.concat(Stream.of(scheduler), words.stream());
    }

    private Set<String> names(Predicate<Word> which) {
        return all().filter(which).flatMap(word -> word.parameters().stream()).collect(Collectors.toSet());
    }
}
