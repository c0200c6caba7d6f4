package dev.tilewright.worker.board;

import dev.tilewright.model.space.Config;
import dev.tilewright.worker.board.Marks.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Configs in short: {@code static 128x256x64 c2x1 s4 groupedM8 coop2}. Further parameters follow only where the configs
 * of a table differ in them: {@code sw64} for the swizzle, {@code e32} for the width of an epilogue panel, {@code r232}
 * for registers, and so on, each only where it is not the usual; and others by their names. The legend says what the
 * marks mean.
 *
 * @param shown names of the further parameters that are written
 */
public record CompactConfig(Set<String> shown) {

    /** The form for a table with these configs. */
    public static CompactConfig of(List<Config> configs) {
        Set<String> differing = new TreeSet<>(Marks.ALWAYS);
        for (Config config : configs) {
            config.values().forEach((name, value) -> {
                boolean same = configs.stream()
                        .allMatch(other -> Objects.equals(other.values().get(name), value));
                if (!same && !Marks.IN_SHORT.contains(name)) {
                    differing.add(name);
                }
            });
        }
        return new CompactConfig(differing);
    }

    /** The short form of one config. */
    public String format(Config config) {
        return marks(config).stream().map(Mark::text).collect(Collectors.joining(" "));
    }

    /** What the marks of these configs mean, in the order in which they occur; each kind of mark once. */
    public Map<String, String> legend(List<Config> configs) {
        Map<String, Mark> kinds = new LinkedHashMap<>();
        configs.forEach(config -> marks(config).stream()
                .filter(mark -> !mark.meaning().isEmpty())
                .forEach(mark -> kinds.putIfAbsent(mark.kind(), mark)));
        Map<String, String> legend = new LinkedHashMap<>();
        kinds.values().forEach(mark -> legend.putIfAbsent(mark.text(), mark.meaning()));
        return legend;
    }

    /** Whether two configs are one, but for the tile scheduler and for what one of their schedulers has no use for. */
    public static boolean areTwins(Config one, Config other) {
        return differing(one, other).stream()
                .allMatch(name -> name.equals("scheduler") || Marks.OF_SCHEDULERS.contains(name));
    }

    /** Names of the parameters in which two configs differ. */
    static Set<String> differing(Config one, Config other) {
        Set<String> names = new TreeSet<>(one.values().keySet());
        names.addAll(other.values().keySet());
        names.removeIf(
                name -> Objects.equals(one.values().get(name), other.values().get(name)));
        return names;
    }

    private List<Mark> marks(Config config) {
        List<Mark> marks = new ArrayList<>(Marks.ofTheKernel(config));
        shown.forEach(name -> marks.addAll(Marks.further(name, Marks.text(config, name))));
        return marks;
    }
}
