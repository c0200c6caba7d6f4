package dev.tilewright.worker.cli.board;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.family.Families;
import dev.tilewright.space.text.Mark;
import dev.tilewright.space.text.Vocabulary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Configs in short, in the words of their families: {@code static 128x256x64 c2x1 s4 groupedM8 coop2}. Further
 * parameters follow only where the configs of a table differ in them or a reader must know, each only where it is not
 * the usual. The legend says what the marks mean. Of a family that is not known, parameters are written as
 * {@code name=value}: those in which the configs of the table differ, or all of a config that stands alone.
 *
 * @param families whose words are known
 * @param differing names of the parameters in which the configs of the table differ
 */
public record CompactConfig(Families families, Set<String> differing) {

    /** The form for a table with these configs. */
    public static CompactConfig of(List<FamilyConfig> configs) {
        Set<String> differing = new TreeSet<>();
        configs.forEach(each -> differing.addAll(differing(configs.getFirst().config(), each.config())));
        return new CompactConfig(Families.standard(), differing);
    }

    /** The short form of one config. */
    public String format(FamilyConfig config) {
        return marks(config).stream().map(Mark::text).collect(Collectors.joining(" "));
    }

    /** What the marks of these configs mean, in the order in which they occur; each kind of mark once. */
    public Map<String, String> legend(List<FamilyConfig> configs) {
        Map<String, Mark> kinds = new LinkedHashMap<>();
        configs.forEach(config -> marks(config).stream()
                .filter(mark -> !mark.meaning().isEmpty())
                .forEach(mark -> kinds.putIfAbsent(mark.kind(), mark)));
        Map<String, String> legend = new LinkedHashMap<>();
        kinds.values().forEach(mark -> legend.putIfAbsent(mark.text(), mark.meaning()));
        return legend;
    }

    /** Names of the parameters in which two configs differ. */
    static Set<String> differing(Config one, Config other) {
        Set<String> names = new TreeSet<>(one.values().keySet());
        names.addAll(other.values().keySet());
        names.removeIf(
                name -> Objects.equals(one.values().get(name), other.values().get(name)));
        return names;
    }

    private List<Mark> marks(FamilyConfig of) {
        Vocabulary vocabulary = families.vocabulary(of.family());
        boolean nothingToSay = vocabulary.isPlain() && differing.isEmpty();
        return vocabulary.marks(of.config(), nothingToSay ? of.config().values().keySet() : differing);
    }
}
