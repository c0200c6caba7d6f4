package dev.tilewright.space.text;

import dev.tilewright.model.space.Config;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the configs of one table are written in short: {@code static 128x256x64 c2x1 s4 groupedM8 coop2 r232}. Whatever
 * is not a default of the family is written, so that each text can be copied and read. Of a family without words,
 * parameters are written as {@code name=value}: those in which the configs differ, or all of a config that stands
 * alone.
 *
 * @param differing names of the parameters in which the configs of the table differ
 */
public record ShortForm(Set<String> differing) {

    /** The form for a table with these configs. */
    public static ShortForm of(Collection<Config> configs) {
        Set<String> differing = new TreeSet<>();
        configs.stream()
                .findFirst()
                .ifPresent(first -> configs.forEach(each -> differing.addAll(differing(first, each))));
        return new ShortForm(differing);
    }

    /** A config in short that says all, also in a family without words. */
    public static String complete(Vocabulary vocabulary, Config config) {
        return new ShortForm(config.values().keySet()).text(vocabulary, config);
    }

    /** Names of the parameters in which two configs differ. */
    public static Set<String> differing(Config one, Config other) {
        Set<String> names = new TreeSet<>(one.values().keySet());
        names.addAll(other.values().keySet());
        names.removeIf(
                name -> Objects.equals(one.values().get(name), other.values().get(name)));
        return names;
    }

    /** The marks of a config in the words of its family. */
    public List<Mark> marks(Vocabulary vocabulary, Config config) {
        boolean nothingToSay = vocabulary.isPlain() && differing.isEmpty();
        return vocabulary.marks(config, nothingToSay ? config.values().keySet() : differing);
    }

    /** The same as one text. */
    public String text(Vocabulary vocabulary, Config config) {
        return marks(vocabulary, config).stream().map(Mark::text).collect(Collectors.joining(" "));
    }

    /** The meaning of these marks, in the order in which they occur; each kind of mark once. */
    public static Map<String, String> legend(Stream<Mark> marks) {
        Map<String, Mark> kinds = new LinkedHashMap<>();
        marks.filter(mark -> !mark.meaning().isEmpty()).forEach(mark -> kinds.putIfAbsent(mark.kind(), mark));
        Map<String, String> legend = new LinkedHashMap<>();
        kinds.values().forEach(mark -> legend.putIfAbsent(mark.text(), mark.meaning()));
        return legend;
    }
}
