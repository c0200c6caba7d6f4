package dev.tilewright.api.web;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.family.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.text.Mark;
import dev.tilewright.space.text.Vocabulary;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Configs of one family in its words. Of a family without words the parameters are written out.
 *
 * @param family that may be gone by now, if somebody brought it
 * @param differing names of the parameters in which the configs of a page differ
 */
public record ConfigWords(Optional<FamilySpace> family, Vocabulary vocabulary, Set<String> differing) {

    /** The words for a page with these configs. */
    public static ConfigWords of(Families families, String family, Collection<Config> configs) {
        Set<String> differing = new TreeSet<>();
        configs.stream()
                .findFirst()
                .ifPresent(first -> configs.forEach(each -> differing.addAll(differing(first, each))));
        return new ConfigWords(found(families, family), families.vocabulary(family), differing);
    }

    private static Optional<FamilySpace> found(Families families, String family) {
        try {
            return families.find(family);
        } catch (IllegalArgumentException gone) {
            return Optional.empty();
        }
    }

    /** Such as {@code static 128x256x64 s4}. */
    public String brief(Config config) {
        return marks(config).stream().map(Mark::text).collect(Collectors.joining(" "));
    }

    /** What the marks of these configs mean, each kind of mark once. */
    public Map<String, String> legend(Collection<Config> configs) {
        Map<String, Mark> kinds = new LinkedHashMap<>();
        configs.forEach(config -> marks(config).stream()
                .filter(mark -> !mark.meaning().isEmpty())
                .forEach(mark -> kinds.putIfAbsent(mark.kind(), mark)));
        Map<String, String> legend = new LinkedHashMap<>();
        kinds.values().forEach(mark -> legend.putIfAbsent(mark.text(), mark.meaning()));
        return legend;
    }

    /** Every part of a config, with the words there are for it. */
    public List<Mark> explained(Config config) {
        return vocabulary.marks(config, config.values().keySet());
    }

    /** The options of {@code tune} that leave this config alone. */
    public String settings(Config config) {
        return family.map(known -> known.settings(config))
                .orElseGet(() -> config.values().entrySet().stream()
                        .map(value -> "--set " + value.getKey() + "=" + value.getValue())
                        .collect(Collectors.joining(" ")));
    }

    /** Names of the parameters in which two configs differ. */
    public static Set<String> differing(Config one, Config other) {
        Set<String> names = new TreeSet<>(one.values().keySet());
        names.addAll(other.values().keySet());
        names.removeIf(
                name -> Objects.equals(one.values().get(name), other.values().get(name)));
        return names;
    }

    private List<Mark> marks(Config config) {
        boolean nothingToSay = vocabulary.isPlain() && differing.isEmpty();
        return vocabulary.marks(config, nothingToSay ? config.values().keySet() : differing);
    }
}
