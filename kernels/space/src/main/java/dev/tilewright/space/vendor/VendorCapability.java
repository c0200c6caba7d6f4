package dev.tilewright.space.vendor;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The settings that the library names for one of its algorithms.
 *
 * @param tiles ids of tiles; 0 alone if it has none to choose from
 * @param stages ids of stages, likewise
 * @param splits whether it can split the sums along K
 * @param reductions the ways to add split sums up, as a mask of {@code cublasLtReductionScheme_t}
 * @param swizzles the highest way to swizzle CTAs
 * @param customs the highest custom option
 */
public record VendorCapability(
        int id, List<Integer> tiles, List<Integer> stages, boolean splits, int reductions, int swizzles, int customs) {

    /** Numbers of splits that are tried: what won anywhere, and what lies between. */
    public static final List<Integer> SPLITS = List.of(2, 3, 4, 5, 6, 7, 8, 12, 16);

    /** The cluster shapes of two, four, eight and sixteen CTAs, and of one: the others won nowhere. */
    public static final List<Integer> CLUSTERS =
            IntStream.rangeClosed(2, 16).boxed().toList();

    /** All cluster shapes of the library's header; 0 leaves the choice to the library. */
    public static final List<Integer> ALL_CLUSTERS =
            Stream.concat(Stream.of(0), IntStream.rangeClosed(2, 51).boxed()).toList();

    /** All inner shapes of the library's header; 0 leaves the choice to the library, and nothing else ever won. */
    public static final List<Integer> ALL_INNER_SHAPES =
            IntStream.rangeClosed(0, 4).boxed().toList();

    /** The ways to add split sums up, as bits of {@code cublasLtReductionScheme_t}. */
    public static final List<Integer> SCHEMES = List.of(1, 2, 4);

    public VendorCapability {
        tiles = List.copyOf(tiles);
        stages = List.copyOf(stages);
    }

    /** A way to set it, drawn. */
    VendorAlgorithm drawn(Random random) {
        List<Integer> schemes = schemes();
        boolean split = splits && !schemes.isEmpty() && random.nextInt(4) == 0;
        return new VendorAlgorithm(List.of(
                id,
                one(tiles, random),
                split ? one(SPLITS, random) : 1,
                split ? one(schemes, random) : 0,
                random.nextInt(swizzles + 1),
                random.nextInt(customs + 1),
                one(stages, random),
                0,
                one(CLUSTERS, random)));
    }

    /** The ways to add split sums up; none where sums are not split. */
    public List<Integer> schemes() {
        return splits
                ? SCHEMES.stream().filter(scheme -> (reductions & scheme) != 0).toList()
                : List.of();
    }

    private static int one(List<Integer> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }
}
