package dev.tilewright.space.vendor;

import dev.tilewright.model.problem.ProblemShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The fastest algorithms for each shape, found in searches of a minute a shape;
 * {@code packaging/cublaslt-exhaustive.py} writes it.
 *
 * @param wins the fastest of each shape first
 */
public record VendorKnowledge(List<Win> wins) {

    private static final String RESOURCE = "cublaslt-wins.csv";

    /** How many of the nearest wins are varied. */
    private static final int VARIED = 24;

    /** How many algorithms are drawn at the most when all that is known was tried. */
    private static final int DRAWN = 200_000;

    /** An algorithm that was among the fastest of a shape. */
    public record Win(ProblemShape shape, VendorAlgorithm algorithm) {

        /** How unlike two shapes are: the distance of their extents, as logarithms. */
        private double distance(ProblemShape other) {
            return Math.hypot(
                    Math.hypot(log(shape.m(), other.m()), log(shape.n(), other.n())), log(shape.k(), other.k()));
        }

        private static double log(int one, int other) {
            return Math.log((double) one / other);
        }
    }

    public VendorKnowledge {
        wins = List.copyOf(wins);
    }

    /** The knowledge that is stored with the program. */
    public static VendorKnowledge stored() {
        return VendorTable.read(RESOURCE, VendorKnowledge::read);
    }

    /** Reads lines of m, n, k and nine attributes; comments begin with {@code #}, the head with a letter. */
    static VendorKnowledge read(Stream<String> lines) {
        return new VendorKnowledge(lines.filter(line -> !line.isBlank() && Character.isDigit(line.charAt(0)))
                .map(VendorKnowledge::win)
                .toList());
    }

    private static Win win(String line) {
        List<Integer> numbers =
                Arrays.stream(line.split(",")).map(Integer::valueOf).toList();
        return new Win(
                new ProblemShape(numbers.get(0), numbers.get(1), numbers.get(2)),
                new VendorAlgorithm(numbers.subList(3, numbers.size())));
    }

    /**
     * Algorithms for a shape, each once, the most promising first: what won for like shapes; the same with other custom
     * options, clusters and splits; then draws from all that the library has. The same seed gives the same sequence.
     *
     * @param library what the library says of its algorithms; a win of one that it lacks is left out
     */
    public Stream<VendorAlgorithm> inOrder(ProblemShape shape, List<VendorCapability> library, long seed) {
        List<VendorAlgorithm> near = wins.stream()
                .sorted(Comparator.comparingDouble(win -> win.distance(shape)))
                .map(Win::algorithm)
                .filter(algorithm -> library.stream().anyMatch(each -> each.id() == algorithm.id()))
                .distinct()
                .toList();
        Random random = new Random(seed);
        // Not by flatMap: an iterator over that takes all draws at once.
        return Stream.concat(Stream.concat(near.stream(), varied(near, library, random)), drawn(library, random))
                .distinct();
    }

    /** The ids of the algorithms that won anywhere. */
    public List<Integer> winners() {
        return wins.stream().map(win -> win.algorithm().id()).distinct().toList();
    }

    private static Stream<VendorAlgorithm> varied(
            List<VendorAlgorithm> near, List<VendorCapability> library, Random random) {
        return near.stream().limit(VARIED).flatMap(algorithm -> {
            VendorCapability own = library.stream()
                    .filter(each -> each.id() == algorithm.id())
                    .findFirst()
                    .orElseThrow();
            List<VendorAlgorithm> variants = new ArrayList<>();
            for (int custom : IntStream.rangeClosed(0, own.customs()).toArray()) {
                for (int cluster : VendorCapability.CLUSTERS) {
                    variants.add(algorithm.withCustom(custom).withCluster(cluster));
                }
            }
            if (own.splits() && algorithm.splits() > 1) {
                for (int splits : VendorCapability.SPLITS) {
                    own.schemes().forEach(scheme -> variants.add(algorithm.withSplits(splits, scheme)));
                }
            }
            Collections.shuffle(variants, random);
            return variants.stream();
        });
    }

    private static Stream<VendorAlgorithm> drawn(List<VendorCapability> library, Random random) {
        return library.isEmpty()
                ? Stream.empty()
                : Stream.generate(() ->
                                library.get(random.nextInt(library.size())).drawn(random))
                        .limit(DRAWN);
    }
}
