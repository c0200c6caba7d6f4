package dev.tilewright.space.vendor;

import static dev.tilewright.space.gemm.GemmRules.rule;
import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.GemmWords.number;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.Blocking;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.family.VendorFamily;
import dev.tilewright.space.gemm.GemmRules;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.text.Spelling;
import dev.tilewright.space.text.Vocabulary;
import dev.tilewright.space.text.Word;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All algorithms of the vendor's library: the parameters are the attributes of an algorithm, by the numbers of the
 * library's header. The space is what a library said of itself; the one that is installed beside a GPU has the last
 * word, and refuses most of it for most problems.
 */
public final class VendorSpace implements FamilySpace {

    private static final String ALGORITHM = "algorithmId";
    private static final String TILE = "tileId";
    private static final String STAGES = "stagesId";
    private static final String CUSTOM = "customOption";
    private static final String CLUSTER = "clusterShapeId";
    private static final String SPLITS = "splitKNum";
    private static final String REDUCTION = "reductionScheme";
    private static final String SWIZZLE = "ctaSwizzling";
    private static final String INNER = "innerShapeId";

    /** Nothing is split, added up, swizzled or chosen. */
    private static final int WHOLE = 1;

    private static final int NONE = 0;

    private static final int MOST_SPLITS = 32;

    /** Read when they are first asked for. */
    private static final class Stored {
        private static final VendorCapabilities CAPABILITIES = VendorCapabilities.stored();
        private static final VendorKnowledge KNOWLEDGE = VendorKnowledge.stored();
    }

    @Override
    public String family() {
        return VendorFamily.NAME;
    }

    @Override
    public boolean isModelled() {
        return false;
    }

    @Override
    public boolean isInstalled() {
        return true;
    }

    @Override
    public Optional<String> withoutText(Config config) {
        return Optional.of(FamilySpace.noText(family()));
    }

    @Override
    public Optional<String> refusal(Problem problem) {
        return VendorOperands.refusal(problem.types(), problem.major())
                .or(() -> VendorEpilogue.refusal(problem))
                .or(() -> VendorScales.refusal(problem))
                .or(() -> when(
                        problem.groups().stream().distinct().count() > 1,
                        () -> "groups = " + problem.shapes() + ": " + family()
                                + " multiplies GEMMs of one shape at once"))
                .or(() -> GemmRules.refuseLaunchOverlap(family(), problem));
    }

    /** An algorithm with its tile and cluster: what else is set of it are details. */
    @Override
    public List<String> tile() {
        return List.of(ALGORITHM, TILE, CLUSTER);
    }

    @Override
    public Blocking blocking(Config config) {
        throw new IllegalArgumentException(FamilySpace.noText(family()) + ": nobody knows what its clusters compute");
    }

    @Override
    public Stream<Config> promising(Problem problem, long seed) {
        return Stored.KNOWLEDGE
                .inOrder(problem.shape(), Stored.CAPABILITIES.of(problem.types()), seed)
                .map(VendorAlgorithm::config);
    }

    @Override
    public Vocabulary vocabulary() {
        return new Vocabulary(
                Scheduler.word(),
                List.of(
                        leading(ALGORITHM, "a#", id -> "algorithm " + id + " of the library"),
                        leading(TILE, "t#", id -> "tile " + id + " of the library's header"),
                        leading(CLUSTER, "cl#", id -> "cluster shape " + id + " of the library's header"),
                        number(STAGES, NONE, "st#", id -> "stages " + id + " of the library's header"),
                        number(CUSTOM, NONE, "custom#", number -> "custom option " + number),
                        number(SPLITS, WHOLE, "split#", count -> "sums are split into " + count + " along K"),
                        number(REDUCTION, NONE, "add#", number -> "split sums are added up in way " + number),
                        number(SWIZZLE, NONE, "swizzle#", number -> "CTAs are swizzled in way " + number),
                        number(INNER, NONE, "inner#", id -> "inner shape " + id + " of the library's header")));
    }

    private static Word leading(String parameter, String template, IntFunction<String> meaning) {
        return Word.leading(Spelling.of(template, numbers -> meaning.apply(numbers.getFirst()), parameter));
    }

    @Override
    public SearchSpace space(Problem problem, DeviceLimits limits) {
        List<VendorCapability> library = Stored.CAPABILITIES.of(problem.types());
        return new SearchSpace(family(), parameters(library), constraints(library));
    }

    private static List<Parameter> parameters(List<VendorCapability> library) {
        int[] winners = Stored.KNOWLEDGE.winners().stream()
                .filter(id -> library.stream().anyMatch(each -> each.id() == id))
                .mapToInt(Integer::intValue)
                .toArray();
        Parameter algorithms = numbers(ALGORITHM, library.stream().map(VendorCapability::id));
        return List.of(
                winners.length == 0 ? algorithms : algorithms.usually(winners),
                numbers(TILE, library.stream().flatMap(each -> each.tiles().stream())),
                numbers(STAGES, library.stream().flatMap(each -> each.stages().stream())),
                upTo(CUSTOM, library, VendorCapability::customs),
                numbers(CLUSTER, VendorCapability.ALL_CLUSTERS.stream()).usually(array(VendorCapability.CLUSTERS)),
                numbers(SPLITS, IntStream.rangeClosed(WHOLE, MOST_SPLITS).boxed())
                        .usually(array(Stream.concat(Stream.of(WHOLE), VendorCapability.SPLITS.stream())
                                .toList())),
                numbers(REDUCTION, Stream.concat(Stream.of(NONE), VendorCapability.SCHEMES.stream())),
                upTo(SWIZZLE, library, VendorCapability::swizzles),
                numbers(INNER, VendorCapability.ALL_INNER_SHAPES.stream()).usually(NONE));
    }

    private static Parameter numbers(String name, Stream<Integer> values) {
        return Parameter.text(
                name, values.distinct().sorted().mapToInt(Integer::intValue).toArray());
    }

    private static Parameter upTo(String name, List<VendorCapability> library, ToIntFunction<VendorCapability> most) {
        int highest = library.stream().mapToInt(most).max().orElse(NONE);
        return numbers(name, IntStream.rangeClosed(NONE, highest).boxed());
    }

    private static int[] array(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<Constraint> constraints(List<VendorCapability> library) {
        Map<Integer, VendorCapability> byId =
                library.stream().collect(Collectors.toMap(VendorCapability::id, Function.identity()));
        return List.of(
                among(byId, "vendorTile", TILE, VendorCapability::tiles),
                among(byId, "vendorStages", STAGES, VendorCapability::stages),
                atMost(byId, "vendorCustom", CUSTOM, VendorCapability::customs),
                atMost(byId, "vendorSwizzle", SWIZZLE, VendorCapability::swizzles),
                rule("vendorSplit", config -> split(byId, config), ALGORITHM, SPLITS),
                rule("vendorReduction", config -> reduction(byId, config), ALGORITHM, SPLITS, REDUCTION));
    }

    private static VendorCapability of(Map<Integer, VendorCapability> byId, Config config) {
        int id = config.whole(ALGORITHM);
        VendorCapability known = byId.get(id);
        if (known == null) {
            throw new IllegalArgumentException(ALGORITHM + " must be one of " + byId.keySet() + ", got " + id);
        }
        return known;
    }

    private static Constraint among(
            Map<Integer, VendorCapability> byId,
            String id,
            String parameter,
            Function<VendorCapability, Collection<Integer>> values) {
        return rule(
                id,
                config -> {
                    VendorCapability algorithm = of(byId, config);
                    int value = config.whole(parameter);
                    return when(
                            !values.apply(algorithm).contains(value),
                            () -> "algorithm " + algorithm.id() + " of the library has no " + parameter + " " + value);
                },
                ALGORITHM,
                parameter);
    }

    private static Constraint atMost(
            Map<Integer, VendorCapability> byId, String id, String parameter, ToIntFunction<VendorCapability> most) {
        return rule(
                id,
                config -> {
                    VendorCapability algorithm = of(byId, config);
                    int value = config.whole(parameter);
                    return when(
                            value > most.applyAsInt(algorithm),
                            () -> parameter + " of algorithm " + algorithm.id() + " of the library is at most "
                                    + most.applyAsInt(algorithm) + ", got " + value);
                },
                ALGORITHM,
                parameter);
    }

    private static Optional<String> split(Map<Integer, VendorCapability> byId, Config config) {
        VendorCapability algorithm = of(byId, config);
        int splits = config.whole(SPLITS);
        return when(
                splits > WHOLE && algorithm.schemes().isEmpty(),
                () -> "algorithm " + algorithm.id() + " of the library splits no sums, got " + SPLITS + " " + splits);
    }

    private static Optional<String> reduction(Map<Integer, VendorCapability> byId, Config config) {
        VendorCapability algorithm = of(byId, config);
        int splits = config.whole(SPLITS);
        int scheme = config.whole(REDUCTION);
        List<Integer> known = splits == WHOLE ? List.of(NONE) : algorithm.schemes();
        return when(
                !known.contains(scheme),
                () -> REDUCTION + " of algorithm " + algorithm.id() + " with " + SPLITS + " " + splits
                        + " must be one of " + known + ", got " + scheme);
    }
}
