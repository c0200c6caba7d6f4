package dev.tilewright.worker.cli.bundle;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The IR of a kernel ({@code NAME.ttir}), as far as a description of its launch needs it.
 *
 * @param arguments those of the function, in the order of the kernel's parameters; none without IR
 * @param extents of its tiles, such as {@code 64x32}; none without IR
 * @param stored indices of the pointers that it stores through; none if that cannot be followed
 * @param multiplies whether it has a {@code tt.dot}
 */
record TritonIr(List<Argument> arguments, List<String> extents, Set<Integer> stored, boolean multiplies) {

    /**
     * An argument as the source has it.
     *
     * @param type such as {@code !tt.ptr<f16>} or {@code i32}
     * @param divisor a number by which Triton took the value to be divisible when it compiled; 1 if by none
     */
    record Argument(String name, String type, long divisor) {
        String said() {
            return name + " " + type;
        }
    }

    /** The facts of a kernel without IR: none. */
    static final TritonIr NONE = new TritonIr(List.of(), List.of(), Set.of(), false);

    private static final Pattern FUNCTION = Pattern.compile("tt\\.func public @\\w+\\((.*)");
    private static final Pattern ARGUMENT =
            Pattern.compile("%(\\w+): (!?[\\w.]+(?:<[^ ]*>)?)(?: \\{[^}]*?tt\\.divisibility = (\\d+)[^}]*})?");
    private static final Pattern TENSOR = Pattern.compile("tensor<((?:\\d+x)+)");
    /** Operations whose result points into what their first operand points into. */
    private static final Pattern DERIVED = Pattern.compile("(%\\w+) = (?:tt\\.(?:splat|addptr|broadcast|expand_dims|"
            + "reshape|trans|bitcast|advance|make_tensor_ptr|make_tensor_descriptor)) (%[\\w#]+).*");

    private static final Pattern LOOP =
            Pattern.compile("(?:(%\\w+)(?::\\d+)? = )?scf\\.for .*iter_args\\(([^)]*)\\).*");
    private static final Pattern CARRIED = Pattern.compile("(%\\w+) = (%[\\w#]+)");
    private static final Pattern STORE =
            Pattern.compile("(?:%\\w+ = )?tt\\.(?:store|descriptor_store|atomic_\\w+)[^%]* (%[\\w#]+).*");

    TritonIr {
        arguments = List.copyOf(arguments);
        extents = List.copyOf(extents);
        stored = Set.copyOf(stored);
    }

    static TritonIr of(String text) {
        List<Argument> arguments = arguments(text);
        return new TritonIr(
                arguments,
                TENSOR.matcher(text)
                        .results()
                        .map(found ->
                                found.group(1).replaceAll("(?<!\\d)1x", "").replaceAll("x$", ""))
                        .filter(extent -> extent.contains("x"))
                        .distinct()
                        .sorted()
                        .toList(),
                stored(text, arguments),
                text.contains(" tt.dot "));
    }

    private static List<Argument> arguments(String text) {
        Matcher function = FUNCTION.matcher(text);
        return function.find()
                ? ARGUMENT.matcher(function.group(1))
                        .results()
                        .map(found -> new Argument(
                                found.group(1),
                                found.group(2),
                                found.group(3) == null ? 1 : Long.parseLong(found.group(3))))
                        .toList()
                : List.of();
    }

    private static Set<Integer> stored(String text, List<Argument> arguments) {
        Map<String, Integer> into = new HashMap<>();
        IntStream.range(0, arguments.size())
                .forEach(i -> into.put("%" + arguments.get(i).name(), i));
        Set<Integer> stored = new HashSet<>();
        text.lines().map(String::strip).forEach(line -> {
            Matcher derived = DERIVED.matcher(line);
            Matcher loop = LOOP.matcher(line);
            Matcher store = STORE.matcher(line);
            if (derived.matches()) {
                follow(into, derived.group(2), derived.group(1));
            } else if (loop.matches()) {
                List<MatchResult> carried =
                        CARRIED.matcher(loop.group(2)).results().toList();
                for (int i = 0; i < carried.size(); i++) {
                    follow(into, carried.get(i).group(2), carried.get(i).group(1));
                    if (loop.group(1) != null) {
                        String result = carried.size() == 1 ? loop.group(1) : loop.group(1) + "#" + i;
                        follow(into, carried.get(i).group(2), result);
                    }
                }
            } else if (store.matches() && into.containsKey(store.group(1))) {
                stored.add(into.get(store.group(1)));
            }
        });
        return stored;
    }

    private static void follow(Map<String, Integer> into, String from, String to) {
        Integer argument = into.get(from);
        if (argument != null) {
            into.put(to, argument);
        }
    }
}
