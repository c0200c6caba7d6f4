package dev.tilewright.worker.cli.bundle;

import dev.tilewright.worker.cli.bundle.LaunchedGemm.Operand;
import dev.tilewright.worker.cli.bundle.LaunchedGemm.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A number of a launch as an expression over {@code m}, {@code n}, {@code k} and constexprs.
 *
 * @param text as a bundle writes it
 * @param covers the dimensions of D that it counts CTAs along: {@code m}, {@code n}, {@code mn} or none
 */
record LaunchTerm(String text, String covers, ToLongFunction<Point> value) {

    /** A launch at which terms have values. */
    record Point(LaunchSample sample, Sizes sizes) {
        long size(String dimension) {
            return switch (dimension) {
                case "m" -> sizes.m();
                case "n" -> sizes.n();
                case "k" -> sizes.k();
                default -> throw new IllegalArgumentException("must be m, n or k, got " + dimension);
            };
        }

        private long constexpr(String name) {
            return sample.constexpr(name).orElseThrow();
        }

        private long tiles(String dimension, String extent) {
            return Math.ceilDiv(size(dimension), constexpr(extent));
        }
    }

    private static final List<String> DIMENSIONS = List.of("m", "n", "k");
    private static final Pattern PITCH = Pattern.compile("(?:stride|ld)_?([a-z])\\w*");

    static LaunchTerm size(String dimension) {
        return new LaunchTerm(dimension, dimension, point -> point.size(dimension));
    }

    /**
     * The expressions for an integer argument: the extent that its name means, else another one, else a number of
     * elements.
     *
     * @param name such as {@code M} or {@code stride_am}
     */
    static List<List<LaunchTerm>> ofArgument(String name, LaunchedGemm gemm, LaunchSample sample) {
        Matcher pitch = PITCH.matcher(name.toLowerCase(Locale.ROOT));
        Stream<String> meant = pitch.matches()
                ? gemm.matrices().stream()
                        .filter(operand -> sample.letter(operand.argument()).equals(pitch.group(1)))
                        .map(Operand::major)
                : DIMENSIONS.stream().filter(dimension -> means(name, dimension));
        return List.of(
                meant.map(LaunchTerm::size).toList(),
                DIMENSIONS.stream().map(LaunchTerm::size).toList(),
                List.of(product("m", "n"), product("m", "k"), product("n", "k")));
    }

    private static LaunchTerm product(String one, String other) {
        return new LaunchTerm(one + " * " + other, "", point -> point.size(one) * point.size(other));
    }

    /**
     * The expressions for an extent of the grid, the simplest first. Tiles of M are not counted by a constexpr whose
     * name means N or K, such as {@code BLOCK_N}.
     */
    static List<LaunchTerm> ofGrid(List<LaunchSample> samples) {
        List<String> numbers = samples.getFirst().kernel().constexprs().keySet().stream()
                .filter(name -> samples.stream()
                        .allMatch(sample -> sample.constexpr(name).orElse(0) > 0))
                .filter(name -> !isGroup(name))
                .toList();
        List<LaunchTerm> one = new ArrayList<>();
        List<LaunchTerm> both = new ArrayList<>();
        List<LaunchTerm> more = new ArrayList<>();
        for (String rows : tiles("m", numbers)) {
            one.add(new LaunchTerm("ceildiv(m, " + rows + ")", "m", point -> point.tiles("m", rows)));
            for (String columns : tiles("n", numbers)) {
                String text = "ceildiv(m, " + rows + ") * ceildiv(n, " + columns + ")";
                ToLongFunction<Point> value = point -> point.tiles("m", rows) * point.tiles("n", columns);
                both.add(new LaunchTerm(text, "mn", value));
                for (String other : numbers) {
                    // Such as NUM_SMS and SPLIT_K.
                    if (DIMENSIONS.stream().noneMatch(dimension -> isTile(other, dimension))) {
                        more.add(new LaunchTerm(
                                "min(" + text + ", " + other + ")",
                                "mn",
                                point -> Math.min(value.applyAsLong(point), point.constexpr(other))));
                    } else if (!isTile(other, "m") && !isTile(other, "n")) {
                        more.add(new LaunchTerm(
                                text + " * " + other,
                                "mn",
                                point -> value.applyAsLong(point) * point.constexpr(other)));
                    }
                }
            }
        }
        for (String columns : tiles("n", numbers)) {
            one.add(new LaunchTerm("ceildiv(n, " + columns + ")", "n", point -> point.tiles("n", columns)));
        }
        List<LaunchTerm> terms = new ArrayList<>(List.of(new LaunchTerm("1", "", _ -> 1)));
        terms.addAll(one);
        terms.addAll(both);
        numbers.forEach(name -> terms.add(new LaunchTerm(name, "", point -> point.constexpr(name))));
        terms.add(size("m"));
        terms.add(size("n"));
        terms.addAll(more);
        return terms;
    }

    /** Constexprs whose name means a dimension, or those whose name means none of them. */
    private static List<String> tiles(String dimension, List<String> constexprs) {
        List<String> meant =
                constexprs.stream().filter(name -> isTile(name, dimension)).toList();
        return meant.isEmpty()
                ? constexprs.stream()
                        .filter(name -> DIMENSIONS.stream().noneMatch(other -> means(name, other)))
                        .toList()
                : meant;
    }

    /** Whether a constexpr divides a dimension, such as {@code BLOCK_K} and {@code SPLIT_K} divide K. */
    static boolean isTile(String name, String dimension) {
        return means(name, dimension) && !isGroup(name) && !name.equalsIgnoreCase(dimension);
    }

    /** Whether it orders tiles, such as {@code GROUP_M}, and counts none. */
    private static boolean isGroup(String name) {
        return name.toUpperCase(Locale.ROOT).startsWith("GROUP");
    }

    /** Whether a word of a name is the dimension, or its last letter is: {@code BLOCK_M}, {@code M}, {@code BM}. */
    private static boolean means(String name, String dimension) {
        String upper = dimension.toUpperCase(Locale.ROOT);
        return Stream.of(name.toUpperCase(Locale.ROOT).split("_"))
                .anyMatch(word -> word.equals(upper) || word.matches("(BLOCK|TILE|B|T)(SIZE)?" + upper));
    }
}
