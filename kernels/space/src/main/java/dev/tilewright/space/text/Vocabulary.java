package dev.tilewright.space.text;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.text.Word.Said;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words of a family for its configs in short form. A parameter without a word is written as {@code name=value}, and
 * nothing explains it.
 *
 * @param scheduler the tile scheduler, which every family names first
 * @param words of the other parameters; none if the family did not say what it calls them
 */
public record Vocabulary(Word scheduler, List<Word> words) {

    public Vocabulary {
        words = List.copyOf(words);
    }

    /** Whether there are words for the tile scheduler alone. */
    public boolean isPlain() {
        return words.isEmpty();
    }

    /**
     * The marks of a config: first what every config says, in the order of the words, then the further parameters in
     * the order of their names.
     *
     * @param differing names of the parameters in which the configs of a table differ
     */
    public List<Mark> marks(Config config, Set<String> differing) {
        List<Mark> marks = new ArrayList<>();
        all().filter(word -> word.said() == Said.ALWAYS)
                .forEach(word -> word.form().mark(config).ifPresent(marks::add));
        Set<String> further = new TreeSet<>(differing);
        further.addAll(names(word -> word.said() == Said.UNLESS_USUAL));
        further.removeAll(names(word -> word.said() == Said.ALWAYS));
        further.stream().filter(config::has).forEach(name -> mark(config, name).ifPresent(marks::add));
        return marks;
    }

    private Optional<Mark> mark(Config config, String name) {
        Optional<Word> word =
                words.stream().filter(each -> each.parameters().contains(name)).findFirst();
        return word.isPresent() ? word.get().form().mark(config) : Optional.of(Mark.plain(name, config.value(name)));
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
                explained.add(new Explained(
                        present, present.equals(word.parameters()) ? word.form().mark(config) : Optional.empty()));
            }
        }
        rest.forEach(name -> explained.add(new Explained(List.of(name), Optional.empty())));
        return explained;
    }

    /** Parameters of a config that one word stands for. */
    public record Explained(List<String> parameters, Optional<Mark> mark) {}

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
