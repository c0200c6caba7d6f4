package dev.tilewright.worker.board;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Configs in short: {@code static 128x256x64 c2x1 s4 groupedM8 coop2}. Further parameters follow only where the configs
 * of a table differ in them: {@code sw64} for the swizzle, {@code e32} for the width of an epilogue panel, {@code r232}
 * for registers, {@code w0} for the wait depth, {@code g128} for the grid, {@code mc} for multicast, {@code pair} for a
 * group of two CTAs, {@code a2} for accumulators, {@code q3} for slots of the tile ring, {@code p2} for queries in
 * flight, {@code after-load} for what they wait for and {@code longestFirst} for the order of a table, each of these
 * only where it is not the least; and others by their names.
 *
 * @param shown names of the further parameters that are written
 */
public record CompactConfig(Set<String> shown) {

    private static final Set<String> IN_SHORT = Set.of(
            "scheduler",
            "tileM",
            "tileN",
            "tileK",
            "clusterM",
            "clusterN",
            "loadStages",
            "rasterOrder",
            "rasterGroup",
            "mode",
            "consumers");

    /** Without these a reader takes it for another kernel: said wherever it is not as usual. */
    private static final List<String> ALWAYS =
            List.of("clusterOrder", "l2Hint", "l2Promotion", "loadStart", "splitK", "streamK", "swapAB");

    /** The form for a table with these configs. */
    public static CompactConfig of(List<Config> configs) {
        Set<String> differing = new TreeSet<>(ALWAYS);
        for (Config config : configs) {
            config.values().forEach((name, value) -> {
                boolean same = configs.stream()
                        .allMatch(other -> Objects.equals(other.values().get(name), value));
                if (!same && !IN_SHORT.contains(name)) {
                    differing.add(name);
                }
            });
        }
        return new CompactConfig(differing);
    }

    /** The short form of one config. */
    public String format(Config config) {
        List<String> parts = new ArrayList<>();
        add(parts, text(config, "scheduler"));
        add(parts, joined(config, "x", "tileM", "tileN", "tileK"));
        String cluster = joined(config, "x", "clusterM", "clusterN");
        add(parts, cluster.isEmpty() || cluster.equals("1x1") ? "" : "c" + cluster);
        add(parts, prefixed("s", text(config, "loadStages")));
        add(parts, raster(config));
        add(parts, mode(config) + text(config, "consumers"));
        for (String name : shown) {
            add(parts, further(name, text(config, name)));
        }
        return String.join(" ", parts);
    }

    /** Zero registers and a grid of zero mean that the family chooses, as it does where nothing is said. */
    private static String further(String name, String value) {
        return switch (name) {
            case "swizzle" -> prefixed("sw", value);
            case "epilogueN" -> prefixed("e", value);
            case "waitDepth" -> prefixed("w", value);
            case "registers" -> value.equals("0") ? "" : prefixed("r", value);
            case "gridSize" -> value.equals("0") ? "" : prefixed("g", value);
            case "ctasPerSm" -> value.isEmpty() || value.equals("1") ? "" : value + "ctas";
            case "ctaGroup" -> value.equals("2") ? "pair" : "";
            case "accumulatorStages" -> aboveOne("a", value);
            case "clcStages" -> aboveOne("q", value);
            case "clcPrefetch" -> aboveOne("p", value);
            case "clcThrottle" -> value.equals("none") ? "" : prefixed("after-", value);
            case "l2Hint" -> value.equals("none") ? "" : value;
            case "l2Promotion" -> value.equals("128") ? "" : prefixed("l2-", value);
            case "clusterOrder" -> value.equals("launch") ? "" : value;
            case "loadStart" -> value.equals("free") ? "" : value;
            case "splitK" -> aboveOne("k/", value);
            case "swapAB" -> value.equals("1") ? "swapAB" : "";
            case "streamK" -> value.isEmpty() || value.equals("none") ? "" : "stream-" + value;
            case "tileOrder" -> value.equals("asGiven") ? "" : value;
            case "multicast" -> value.equals("none") ? "" : value.equals("both") ? "mc" : prefixed("mc-", value);
            default -> prefixed(name + "=", value);
        };
    }

    private static String aboveOne(String prefix, String value) {
        return value.equals("1") ? "" : prefixed(prefix, value);
    }

    private static void add(List<String> parts, String part) {
        if (!part.isEmpty()) {
            parts.add(part);
        }
    }

    private static String raster(Config config) {
        String order = text(config, "rasterOrder");
        return order.startsWith("grouped") ? order + text(config, "rasterGroup") : order;
    }

    private static String mode(Config config) {
        String mode = text(config, "mode");
        return mode.equals("cooperative") ? "coop" : mode;
    }

    private static String prefixed(String prefix, String text) {
        return text.isEmpty() ? "" : prefix + text;
    }

    private static String joined(Config config, String separator, String... names) {
        return List.of(names).stream()
                .map(name -> text(config, name))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(separator));
    }

    /** Nothing for a parameter that the family does not have. */
    private static String text(Config config, String name) {
        ParameterValue value = config.values().get(name);
        return value == null ? "" : value.toString();
    }
}
