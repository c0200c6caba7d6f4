package dev.tilewright.worker.board;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The marks that stand for the parameters of a config in short, each with what it means. */
final class Marks {

    /** Those that {@link #ofTheKernel} writes. */
    static final Set<String> IN_SHORT = Set.of(
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
    static final List<String> ALWAYS =
            List.of("clusterOrder", "l2Hint", "l2Promotion", "loadStart", "splitK", "streamK", "swapAB");

    /** Those that only some tile schedulers use: others have them at a value that says so. */
    static final Set<String> OF_SCHEDULERS = Set.of("clcStages", "clcPrefetch", "clcThrottle", "gridSize", "streamK");

    private Marks() {}

    /**
     * A word of a config in short.
     *
     * @param kind marks of one kind mean the same with other numbers, so that one of them is explained
     * @param meaning empty if the mark says it itself
     */
    record Mark(String kind, String text, String meaning) {

        /** One of many: a name that is explained wherever it is another. */
        static Mark named(String text, String meaning) {
            return new Mark(text, text, meaning);
        }
    }

    /** What every config says: who hands out tiles, how large they are, how they are computed and in which order. */
    static List<Mark> ofTheKernel(Config config) {
        List<Mark> marks = new ArrayList<>();
        scheduler(text(config, "scheduler"), marks);
        String tile = joined(config, "x", "tileM", "tileN", "tileK");
        if (!tile.isEmpty()) {
            marks.add(new Mark("tile", tile, tileMeaning(config)));
        }
        String cluster = joined(config, "x", "clusterM", "clusterN");
        if (!cluster.isEmpty() && !cluster.equals("1x1")) {
            marks.add(new Mark(
                    "cluster",
                    "c" + cluster,
                    "clusters of " + joined(config, " x ", "clusterM", "clusterN") + " CTAs along M and N"));
        }
        String stages = text(config, "loadStages");
        if (!stages.isEmpty()) {
            marks.add(new Mark("stages", "s" + stages, stages + " blocks of K fit into the ring of loads"));
        }
        raster(config, marks);
        String consumers = text(config, "consumers");
        String mode = text(config, "mode");
        if (!mode.isEmpty() || !consumers.isEmpty()) {
            marks.add(mode(mode, consumers));
        }
        return marks;
    }

    private static void scheduler(String name, List<Mark> marks) {
        if (!name.isEmpty()) {
            marks.add(Mark.named(
                    name,
                    switch (name) {
                        case "single" -> "each cluster computes one tile";
                        case "static" -> "tiles are dealt out to the clusters in turn, before they begin";
                        case "atomic" -> "clusters draw their next tile from a global counter";
                        case "clc" -> "a cluster takes over the tile of one that has not been launched yet";
                        default -> "";
                    }));
        }
    }

    private static String tileMeaning(Config config) {
        return "tiles of " + text(config, "tileM") + " rows and " + text(config, "tileN") + " columns, "
                + text(config, "tileK") + " of K at a time";
    }

    private static void raster(Config config, List<Mark> marks) {
        String order = text(config, "rasterOrder");
        String group = text(config, "rasterGroup");
        switch (order) {
            case "" -> {}
            case "alongM" -> marks.add(Mark.named(order, "tiles follow each other down the columns"));
            case "alongN" -> marks.add(Mark.named(order, "tiles follow each other along the rows"));
            case "groupedM" ->
                marks.add(new Mark(
                        order, order + group, "tiles follow each other in bands of " + group + " rows of tiles"));
            case "groupedN" ->
                marks.add(new Mark(
                        order, order + group, "tiles follow each other in bands of " + group + " columns of tiles"));
            case "hilbert" -> marks.add(Mark.named(order, "tiles follow each other along a Hilbert curve"));
            default -> marks.add(Mark.named(order, ""));
        }
    }

    private static Mark mode(String mode, String consumers) {
        boolean one = consumers.equals("1");
        String who = consumers + (one ? " warpgroup" : " warpgroups");
        return switch (mode) {
            case "cooperative" ->
                new Mark("coop" + one, "coop" + consumers, who + (one ? " computes a tile" : " share a tile"));
            case "pingpong" ->
                new Mark(
                        mode, mode + consumers, who + (one ? " computes" : " compute") + " tiles of their own in turn");
            default -> new Mark(mode, mode + consumers, "");
        };
    }

    /** A further parameter, if there is something to say of it: zero registers and a grid of zero are the usual. */
    static List<Mark> further(String name, String value) {
        // Nothing for a parameter that the family does not have.
        return value.isEmpty() ? List.of() : known(name, value);
    }

    private static List<Mark> known(String name, String value) {
        return switch (name) {
            case "swizzle" -> any(name, "sw", value, "shared memory is swizzled in spans of " + value + " bytes");
            case "epilogueN" -> any(name, "e", value, "results are stored in panels of " + value + " columns");
            case "waitDepth" ->
                any(name, "w", value, value + " blocks of K are multiplied while the next is waited for");
            case "registers" ->
                value.equals("0")
                        ? List.of()
                        : any(name, "r", value, value + " registers for a thread that multiplies");
            case "gridSize" -> value.equals("0") ? List.of() : any(name, "g", value, "a grid of " + value + " CTAs");
            case "ctasPerSm" ->
                value.equals("1") ? List.of() : List.of(new Mark(name, value + "ctas", value + " CTAs on an SM"));
            case "ctaGroup" ->
                value.equals("2") ? List.of(Mark.named("pair", "two CTAs multiply together")) : List.of();
            case "accumulatorStages" -> aboveOne(name, "a", value, value + " accumulators in tensor memory");
            case "clcStages" -> aboveOne(name, "q", value, value + " tiles fit into the ring of the scheduler");
            case "clcPrefetch" -> aboveOne(name, "p", value, value + " queries for tiles are in flight");
            case "clcThrottle" ->
                value.equals("none")
                        ? List.of()
                        : any(name + value, "after-", value, "the next tile is asked for " + after(value));
            case "l2Hint" ->
                value.equals("none")
                        ? List.of()
                        : any(value, "", value, "L2 keeps " + value.substring(value.length() - 1));
            case "l2Promotion" ->
                value.equals("128") ? List.of() : any(name, "l2-", value, "L2 fetches " + value + " bytes at once");
            case "clusterOrder" ->
                value.equals("launch") ? List.of() : any(name, "", value, "clusters take tiles GPC by GPC");
            case "loadStart" ->
                value.equals("free") ? List.of() : any(name, "", value, "loads start at ticks of a timer");
            case "splitK" -> aboveOne(name, "k/", value, "K is cut into " + value + " parts");
            case "swapAB" ->
                value.equals("1") ? List.of(Mark.named("swapAB", "A and B have changed places")) : List.of();
            case "streamK" ->
                value.equals("none")
                        ? List.of()
                        : any(name, "stream-", value, "clusters share the tiles that do not fill a wave");
            case "tileOrder" ->
                value.equals("asGiven") ? List.of() : any(name, "", value, "deep tiles are handed out first");
            case "multicast" -> multicast(value);
            default -> any(name, name + "=", value, "");
        };
    }

    private static String after(String event) {
        return switch (event) {
            case "load" -> "when the loads of this one begin";
            case "loaded" -> "when all loads of this one are issued";
            case "mainloop" -> "when all multiplications of this one are issued";
            default -> "after " + event;
        };
    }

    private static List<Mark> multicast(String value) {
        return switch (value) {
            case "none" -> List.of();
            case "both" -> List.of(Mark.named("mc", "the CTAs of a cluster load A and B for each other"));
            default ->
                List.of(Mark.named(
                        "mc-" + value,
                        "the CTAs of a cluster load " + value.toUpperCase(Locale.ROOT) + " for each other"));
        };
    }

    private static List<Mark> aboveOne(String kind, String prefix, String value, String meaning) {
        return value.equals("1") ? List.of() : any(kind, prefix, value, meaning);
    }

    private static List<Mark> any(String kind, String prefix, String value, String meaning) {
        return List.of(new Mark(kind, prefix + value, meaning));
    }

    private static String joined(Config config, String separator, String... names) {
        return List.of(names).stream()
                .map(name -> text(config, name))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(separator));
    }

    /** Nothing for a parameter that the family does not have. */
    static String text(Config config, String name) {
        ParameterValue value = config.values().get(name);
        return value == null ? "" : value.toString();
    }
}
