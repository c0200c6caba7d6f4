package dev.tilewright.space.gemm;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.parameter.Throttle;
import dev.tilewright.space.parameter.TileOrder;
import dev.tilewright.space.text.Mark;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The words in which both GEMM families say in short what they have in common. */
public final class GemmWords {

    private GemmWords() {}

    /** How large tiles and clusters are, how deep the ring of loads is, and in which order tiles follow each other. */
    public static Stream<Word> ofTheKernel() {
        return Stream.of(
                Word.always(GemmWords::tile, "tileM", "tileN", "tileK"),
                Word.always(GemmWords::cluster, "clusterM", "clusterN"),
                Word.always(GemmWords::stages, "loadStages"),
                Word.always(GemmWords::raster, "rasterOrder", "rasterGroup"));
    }

    /** Panels of the epilogue. */
    public static Word panels() {
        return number("epilogueN", "e", value -> "results are stored in panels of " + value + " columns");
    }

    /** The operands that CTAs of a cluster load for each other. */
    public static Word multicast() {
        return Word.of("multicast", GemmWords::multicast);
    }

    /** Order and number of tiles, and the event after which a scheduler asks for the next. */
    public static Stream<Word> schedule() {
        return Stream.of(
                name(TileOrder.KEY.name(), TileOrder.AS_GIVEN, "", _ -> "deep tiles are handed out first"),
                number(GridSize.PARAMETER, GridSize.ALL_RESIDENT, "g", value -> "a grid of " + value + " CTAs")
                        .ofSomeSchedulers(),
                name(
                                Throttle.KEY.name(),
                                Throttle.NONE,
                                "after-",
                                value -> "the next tile is asked for " + after(value))
                        .ofSomeSchedulers());
    }

    /** A number behind a prefix, explained once for all numbers. */
    public static Word number(String parameter, String prefix, UnaryOperator<String> meaning) {
        return Word.of(parameter, value -> Optional.of(new Mark(parameter, prefix + value, meaning.apply(value))));
    }

    /** The same, of which the usual one is not written. */
    public static Word number(String parameter, int usual, String prefix, UnaryOperator<String> meaning) {
        return unless(usual, parameter, value -> new Mark(parameter, prefix + value, meaning.apply(value)));
    }

    /** A name behind a prefix, explained wherever it is another; the usual one is not written. */
    public static Word name(String parameter, Object usual, String prefix, UnaryOperator<String> meaning) {
        return unless(usual, parameter, value -> Mark.named(prefix + value, meaning.apply(value)));
    }

    /** A mark for every value but the usual one. */
    public static Word unless(Object usual, String parameter, Function<String, Mark> mark) {
        return Word.of(
                parameter, value -> value.equals(usual.toString()) ? Optional.empty() : Optional.of(mark.apply(value)));
    }

    private static Optional<Mark> tile(Config config) {
        String tile = joined(config, "x", "tileM", "tileN", "tileK");
        return tile.isEmpty()
                ? Optional.empty()
                : Optional.of(new Mark(
                        "tile",
                        tile,
                        "tiles of " + text(config, "tileM") + " rows and " + text(config, "tileN") + " columns, "
                                + text(config, "tileK") + " of K at a time"));
    }

    private static Optional<Mark> cluster(Config config) {
        String cluster = joined(config, "x", "clusterM", "clusterN");
        return cluster.isEmpty() || cluster.equals("1x1")
                ? Optional.empty()
                : Optional.of(new Mark(
                        "cluster",
                        "c" + cluster,
                        "clusters of " + joined(config, " x ", "clusterM", "clusterN") + " CTAs along M and N"));
    }

    private static Optional<Mark> stages(Config config) {
        return Word.value(config, "loadStages")
                .map(stages -> new Mark("stages", "s" + stages, stages + " blocks of K fit into the ring of loads"));
    }

    private static Optional<Mark> raster(Config config) {
        String group = text(config, "rasterGroup");
        return Word.value(config, "rasterOrder").map(order -> switch (order) {
            case "alongM" -> Mark.named(order, "tiles follow each other down the columns");
            case "alongN" -> Mark.named(order, "tiles follow each other along the rows");
            case "groupedM" ->
                new Mark(order, order + group, "tiles follow each other in bands of " + group + " rows of tiles");
            case "groupedN" ->
                new Mark(order, order + group, "tiles follow each other in bands of " + group + " columns of tiles");
            default -> Mark.named(order, "");
        });
    }

    private static Optional<Mark> multicast(String value) {
        return switch (value) {
            case "none" -> Optional.empty();
            case "both" -> Optional.of(Mark.named("mc", "the CTAs of a cluster load A and B for each other"));
            default ->
                Optional.of(Mark.named(
                        "mc-" + value,
                        "the CTAs of a cluster load " + value.toUpperCase(Locale.ROOT) + " for each other"));
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

    private static String text(Config config, String name) {
        return Word.value(config, name).orElse("");
    }

    private static String joined(Config config, String separator, String... names) {
        return List.of(names).stream()
                .flatMap(name -> Word.value(config, name).stream())
                .collect(Collectors.joining(separator));
    }
}
