package dev.tilewright.space.gemm;

import dev.tilewright.space.parameter.Throttle;
import dev.tilewright.space.parameter.TileOrder;
import dev.tilewright.space.text.Spelling;
import dev.tilewright.space.text.Word;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** The words in which both GEMM families write in short what they have in common. */
public final class GemmWords {

    private GemmWords() {}

    /**
     * How large tiles and clusters are, how deep the ring of loads is, and in which order tiles follow each other.
     *
     * @param unusedGroup the raster group of the orders that know none
     */
    public static Stream<Word> ofTheKernel(int unusedGroup) {
        return Stream.of(
                Word.leading(Spelling.of(
                        "#x#x#",
                        tile -> "tiles of " + tile.get(0) + " rows and " + tile.get(1) + " columns, " + tile.get(2)
                                + " of K at a time",
                        "tileM",
                        "tileN",
                        "tileK")),
                Word.leading(Spelling.of(
                                "c#x#",
                                cluster -> "clusters of " + cluster.get(0) + " x " + cluster.get(1)
                                        + " CTAs along M and N",
                                "clusterM",
                                "clusterN"))
                        .usually("clusterM=1 clusterN=1"),
                Word.leading(Spelling.of(
                        "s#", stages -> stages.get(0) + " blocks of K fit into the ring of loads", "loadStages")),
                Word.leading(
                        band("groupedM", "rows"),
                        band("groupedN", "columns"),
                        order("alongM", unusedGroup, "tiles follow each other down the columns"),
                        order("alongN", unusedGroup, "tiles follow each other along the rows")));
    }

    private static Spelling band(String order, String tiles) {
        return Spelling.of(
                        order + "#",
                        group -> "tiles follow each other in bands of " + group.get(0) + " " + tiles + " of tiles",
                        "rasterGroup")
                .with("rasterOrder=" + order);
    }

    private static Spelling order(String order, int unusedGroup, String meaning) {
        return Spelling.named(order, "rasterOrder=" + order, meaning).implying("rasterGroup=" + unusedGroup);
    }

    /** Panels of the epilogue. */
    public static Word panels(int usual) {
        return number("epilogueN", usual, "e#", value -> "results are stored in panels of " + value + " columns");
    }

    /** The operands that CTAs of a cluster load for each other. */
    public static Word multicast() {
        return Word.unless(
                "multicast=none",
                Spelling.named("mc", "multicast=both", "the CTAs of a cluster load A and B for each other"),
                Spelling.named("mc-a", "multicast=a", "the CTAs of a cluster load A for each other"),
                Spelling.named("mc-b", "multicast=b", "the CTAs of a cluster load B for each other"));
    }

    /** Order and number of tiles, and the event after which a scheduler asks for the next. */
    public static Stream<Word> schedule() {
        String throttle = Throttle.KEY.name() + "=";
        return Stream.of(
                name(
                        TileOrder.KEY.name(),
                        TileOrder.AS_GIVEN,
                        TileOrder.LONGEST_FIRST,
                        "deep tiles are handed out first"),
                number(GridSize.PARAMETER, GridSize.ALL_RESIDENT, "g#", value -> "a grid of " + value + " CTAs")
                        .ofSomeSchedulers(),
                Word.unless(
                                throttle + Throttle.NONE,
                                Spelling.named(
                                        "after-load",
                                        throttle + Throttle.LOAD,
                                        "the next tile is asked for when the loads of this one begin"),
                                Spelling.named(
                                        "after-loaded",
                                        throttle + Throttle.LOADED,
                                        "the next tile is asked for when all loads of this one are issued"),
                                Spelling.named(
                                        "after-mainloop",
                                        throttle + Throttle.MAINLOOP,
                                        "the next tile is asked for when all multiplications of this one are issued"))
                        .ofSomeSchedulers());
    }

    /** A number, which is left out where it is the usual one. */
    public static Word number(String parameter, int usual, String template, IntFunction<String> meaning) {
        return Word.unless(
                parameter + "=" + usual,
                Spelling.of(template, numbers -> meaning.apply(numbers.getFirst()), parameter));
    }

    /** A name beside the usual one, which is left out. */
    public static Word name(String parameter, Object usual, Object other, String meaning) {
        return Word.unless(parameter + "=" + usual, Spelling.named(other.toString(), parameter + "=" + other, meaning));
    }
}
