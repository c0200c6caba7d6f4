package dev.tilewright.worker.cli.bundle;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The assumptions of a variant, which was compiled for its launches: rules over {@code m, n, k}. */
record VariantRules(TritonVariant variant, LaunchedDescription described) {
    private static final List<String> DIMENSIONS = List.of("m", "n", "k");
    private static final Pattern EVEN = Pattern.compile("even_([mnk])");

    Set<String> rules() {
        Set<String> rules = new TreeSet<>();
        List<LaunchSample> samples = described.samples().stream()
                .filter(sample -> sample.variant().equals(variant))
                .toList();
        addDivisors(rules);
        addExtents(rules, samples);
        addEven(rules, samples.getFirst());
        return rules;
    }

    /** Triton assumes of a number that it is a multiple of 16 if it was one in the first launch. */
    private void addDivisors(Set<String> rules) {
        List<TritonIr.Argument> arguments = variant.ir().arguments();
        for (int i = 0; i < arguments.size(); i++) {
            long divisor = arguments.get(i).divisor();
            if (divisor > 1 && described.samples().getFirst().tensor(i).isEmpty()) {
                described.terms(i).forEach(term -> rules.add(term.text() + " % " + divisor + " == 0"));
            }
        }
    }

    /** Extents that are compiled into it: those that were 1, and constexprs of their names. */
    private void addExtents(Set<String> rules, List<LaunchSample> samples) {
        boolean ones = samples.getFirst().kernel().specialised().containsValue("1");
        for (String dimension : DIMENSIONS) {
            long extent = described.point(samples.getFirst()).size(dimension);
            boolean compiled = samples.getFirst().kernel().constexprs().keySet().stream()
                    .filter(name -> name.equalsIgnoreCase(dimension))
                    .anyMatch(name -> samples.getFirst().constexpr(name).equals(OptionalLong.of(extent)));
            boolean alike =
                    samples.stream().allMatch(sample -> described.point(sample).size(dimension) == extent);
            if (alike && (compiled || ones && extent == 1)) {
                rules.add(dimension + " == " + extent);
            }
        }
    }

    /** {@code EVEN_K} as the usual heuristic has it: K is a multiple of BLOCK_K, times SPLIT_K. */
    private static void addEven(Set<String> rules, LaunchSample sample) {
        sample.kernel().constexprs().forEach((name, value) -> {
            Matcher even = EVEN.matcher(name.toLowerCase(Locale.ROOT));
            if (even.matches() && value.equals("true")) {
                long step = sample.kernel().constexprs().keySet().stream()
                        .filter(other -> LaunchTerm.isTile(other, even.group(1)))
                        .mapToLong(other -> sample.constexpr(other).orElse(1))
                        .reduce(1, Math::multiplyExact);
                rules.add(even.group(1) + " % " + step + " == 0");
            }
        });
    }
}
