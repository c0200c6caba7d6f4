package dev.tilewright.worker.cli.bundle;

import dev.tilewright.worker.cli.bundle.LaunchTerm.Point;
import dev.tilewright.worker.cli.bundle.LaunchedGemm.Operand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The facts of a {@code kernel.yaml} that recorded launches of its kernel say: all that would be called TODO without
 * them. Every number is the expression that had its value in each launch.
 *
 * @param variants those of the bundle, at least one; all pass the same arguments
 * @param samples their launches, at least one
 */
record LaunchedDescription(List<TritonVariant> variants, List<LaunchSample> samples, LaunchedGemm gemm) {
    static final String TODO = "TODO";
    private static final Set<String> WORDS_OF_NONE = Set.of("", "none", "null", "identity", "linear");

    /** Activations by the word of a constexpr. */
    private static final Map<String, String> ACTIVATIONS =
            Map.of("relu", "relu", "silu", "silu", "swish", "silu", "gelu_tanh", "gelu-tanh", "gelu_erf", "gelu-erf");

    LaunchedDescription {
        variants = List.copyOf(variants);
        samples = List.copyOf(samples);
    }

    /** @throws NoGemmException if the launches show no GEMM */
    static LaunchedDescription of(List<TritonVariant> variants, List<LaunchSample> samples) {
        for (LaunchSample sample : samples) {
            int passed = sample.kernel().arguments().size();
            if (passed != sample.variant().own()) {
                throw new NoGemmException("the launches pass " + passed + " arguments, and "
                        + sample.variant().file() + " takes " + sample.variant().own());
            }
        }
        // Launches with an extent of 0 compute nothing.
        List<LaunchSample> filled = samples.stream()
                .filter(sample -> IntStream.range(0, sample.kernel().arguments().size())
                        .noneMatch(argument -> sample.tensor(argument)
                                .filter(tensor -> tensor.shape().contains(0L))
                                .isPresent()))
                .toList();
        List<TritonVariant> launched = variants.stream()
                .filter(variant ->
                        filled.stream().anyMatch(sample -> sample.variant().equals(variant)))
                .toList();
        if (!launched.equals(variants)) {
            throw new NoGemmException("some variants were launched with empty tensors alone");
        }
        LaunchedDescription described = new LaunchedDescription(variants, filled, LaunchedGemm.of(filled));
        described.epilogue();
        return described;
    }

    /** @throws NoGemmException if an activation has no step */
    BundleSkeleton.Facts facts() {
        List<String> conditions = new ArrayList<>();
        List<String> constraints = new ArrayList<>();
        Map<String, Set<TritonVariant>> needed = new LinkedHashMap<>();
        for (TritonVariant variant : variants) {
            new VariantRules(variant, this)
                    .rules()
                    .forEach(rule -> needed.computeIfAbsent(rule, _ -> new LinkedHashSet<>())
                            .add(variant));
        }
        needed.forEach((rule, by) -> {
            if (by.size() == variants.size()) {
                conditions.add(rule);
            } else {
                by.forEach(variant -> constraints.add("variant != '" + variant.name() + "' || " + rule));
            }
        });
        BundleSkeleton.Grid grid = grid();
        boolean scratch =
                !grid.extents().isEmpty() && variants.stream().anyMatch(variant -> variant.scratchBytes() > 0);
        return new BundleSkeleton.Facts(
                problem(),
                conditions,
                epilogue(),
                constraints,
                grid,
                scratch ? Optional.of("scratch") : Optional.empty());
    }

    /** The line of a description that passes an argument. */
    String parameter(int argument, PtxSignature.Parameter parameter) {
        LaunchSample first = samples.getFirst();
        if (first.tensor(argument).isPresent()) {
            return "- pointer: " + buffer(argument);
        }
        if (first.kernel().arguments().get(argument).type().startsWith("fp")) {
            return "- f" + Byte.SIZE * parameter.bytes() + ": " + same(argument) + "  # the same in all launches";
        }
        String type = "- u" + Byte.SIZE * parameter.bytes() + ": ";
        List<LaunchTerm> fitting = terms(argument);
        if (fitting.size() == 1) {
            return type + fitting.getFirst().text();
        }
        if (fitting.size() > 1) {
            return type + TODO + "  # "
                    + fitting.stream().map(LaunchTerm::text).collect(Collectors.joining(" or "))
                    + ": launch it with other extents to tell";
        }
        String literal = same(argument).replace("true", "1").replace("false", "0");
        return (literal.startsWith("-") ? type.replace("u", "s") : type)
                + literal
                + (literal.equals(TODO) ? "  # follows no rule" : "  # the same in all launches");
    }

    /** Extents of recorded launches, such as {@code 130x70x72}. */
    List<String> shapes() {
        return samples.stream()
                .map(gemm::sizes)
                .map(sizes -> sizes.m() + "x" + sizes.n() + "x" + sizes.k())
                .distinct()
                .toList();
    }

    private List<String> problem() {
        return List.of("a: " + operand(gemm.a(), "k"), "b: " + operand(gemm.b(), "k"), "d: " + operand(gemm.d(), "n"));
    }

    private static String operand(Operand operand, String usual) {
        return operand.major().equals(usual)
                ? operand.type()
                : "{type: " + operand.type() + ", major: " + operand.major() + "}";
    }

    private String epilogue() {
        List<String> steps = new ArrayList<>();
        gemm.bias().ifPresent(bias -> steps.add(bias.major().equals("n") ? "bias" : "bias-m"));
        Set<String> words = new TreeSet<>();
        samples.forEach(sample -> sample.kernel().constexprs().forEach((name, value) -> {
            if (name.toLowerCase(Locale.ROOT).contains("activation")) {
                words.add(value.toLowerCase(Locale.ROOT));
            }
        }));
        if (words.size() > 1) {
            throw new NoGemmException("its variants have the activations " + words + ", and a bundle has one");
        }
        words.stream().filter(word -> !WORDS_OF_NONE.contains(word)).forEach(word -> {
            if (!ACTIVATIONS.containsKey(word)) {
                throw new NoGemmException(
                        "the activation '" + word + "' is none of " + new TreeSet<>(ACTIVATIONS.keySet()));
            }
            steps.add(ACTIVATIONS.get(word));
        });
        String joined = String.join(",", steps);
        return gemm.bias()
                .filter(bias -> !bias.type().equals(gemm.d().type()))
                .map(bias -> "{steps: \"" + joined + "\", bias: " + bias.type() + "}")
                .orElse(joined);
    }

    /** The expressions that had the value of an argument in each launch, of the first kind that has one. */
    List<LaunchTerm> terms(int argument) {
        LaunchSample first = samples.getFirst();
        return LaunchTerm.ofArgument(first.name(argument), gemm, first).stream()
                .map(kind -> kind.stream()
                        .filter(term -> samples.stream()
                                .allMatch(sample -> sample.number(argument)
                                        .equals(OptionalLong.of(term.value().applyAsLong(point(sample))))))
                        .toList())
                .filter(kind -> !kind.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private BundleSkeleton.Grid grid() {
        int dimensions = samples.stream()
                .mapToInt(sample -> sample.launch().grid().size())
                .max()
                .orElseThrow();
        List<List<LaunchTerm>> fitting = new ArrayList<>();
        for (int i = 0; i < dimensions; i++) {
            int at = i;
            fitting.add(LaunchTerm.ofGrid(samples).stream()
                    .filter(term -> samples.stream()
                            .allMatch(
                                    sample -> extent(sample, at) == term.value().applyAsLong(point(sample))))
                    .toList());
        }
        List<List<String>> grids = combinations(fitting, 0).stream()
                .filter(terms -> covered(terms).equals("mn"))
                .map(terms -> terms.stream().map(LaunchTerm::text).toList())
                .distinct()
                .toList();
        if (grids.isEmpty()) {
            return new BundleSkeleton.Grid(
                    List.of(), "one launch had " + samples.getFirst().launch().grid() + " at " + shapes().getFirst());
        }
        return new BundleSkeleton.Grid(
                grids.getFirst(), grids.size() == 1 ? "" : grids.get(1) + " fits all launches, too");
    }

    private static String covered(List<LaunchTerm> terms) {
        return terms.stream().map(LaunchTerm::covers).sorted().collect(Collectors.joining());
    }

    private static List<List<LaunchTerm>> combinations(List<List<LaunchTerm>> fitting, int from) {
        if (from == fitting.size()) {
            return List.of(List.of());
        }
        List<List<LaunchTerm>> all = new ArrayList<>();
        for (LaunchTerm term : fitting.get(from)) {
            for (List<LaunchTerm> rest : combinations(fitting, from + 1)) {
                List<LaunchTerm> terms = new ArrayList<>(List.of(term));
                terms.addAll(rest);
                all.add(terms);
            }
        }
        return all;
    }

    private static long extent(LaunchSample sample, int dimension) {
        List<Long> grid = sample.launch().grid();
        return dimension < grid.size() ? grid.get(dimension) : 1;
    }

    private String buffer(int argument) {
        if (gemm.bias().filter(bias -> bias.argument() == argument).isPresent()) {
            return "BIAS";
        }
        return argument == gemm.a().argument() ? "A" : argument == gemm.b().argument() ? "B" : "D";
    }

    /** The number that an argument was in all launches, as it is written; TODO if it was not the same. */
    private String same(int argument) {
        List<String> values = samples.stream()
                .map(sample -> sample.written(argument).orElse(TODO))
                .distinct()
                .toList();
        return values.size() == 1 ? values.getFirst() : TODO;
    }

    Point point(LaunchSample sample) {
        return new Point(sample, gemm.sizes(sample));
    }
}
