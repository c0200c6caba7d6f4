package dev.tilewright.model.problem;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Suggests the known name that a user may have meant by an unknown one. */
public final class Suggestion {

    /** How messages, ours and those of the service, name what is not known and what is. */
    private static final Pattern UNKNOWN = Pattern.compile("'([^']{1,64})'; known: (.+)");

    /** The same, where a choice is between few. */
    private static final Pattern NONE_OF = Pattern.compile("must be one of \\[?([^\\]']+?)\\]?, got '([^']{1,64})'");

    private static final Pattern OTHER_SHAPE = Pattern.compile("(\\d{1,10})[xX*,×](\\d{1,10})[xX*,×](\\d{1,10})");

    /** The names of the element types in other tools. */
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("fp16", "f16"),
            Map.entry("half", "f16"),
            Map.entry("float16", "f16"),
            Map.entry("bfloat16", "bf16"),
            Map.entry("fp8", "e4m3"),
            Map.entry("f8", "e4m3"),
            Map.entry("float8", "e4m3"),
            Map.entry("fp8e4m3", "e4m3"),
            Map.entry("float8e4m3fn", "e4m3"),
            Map.entry("fp8e5m2", "e5m2"),
            Map.entry("float8e5m2", "e5m2"),
            Map.entry("fp32", "f32"),
            Map.entry("float", "f32"),
            Map.entry("float32", "f32"));

    private Suggestion() {}

    /** The message, and behind it what may have been meant if something near is known. */
    public static String to(String message) {
        Matcher unknown = UNKNOWN.matcher(message);
        Matcher none = NONE_OF.matcher(message);
        Optional<String> name = unknown.find()
                ? meant(unknown.group(1), unknown.group(2).split("[,;] ?"))
                : none.find() ? meant(none.group(2), none.group(1).split(", ?")) : Optional.empty();
        return name.map(meant -> message + "; did you mean " + meant + "?").orElse(message);
    }

    /** The known name that is nearest to an unknown one; an option's value is left out. */
    public static Optional<String> near(String given, Collection<String> known) {
        return meant(given.replaceFirst("=.*", ""), known.toArray(String[]::new));
    }

    /** A shape in the form that is read, if the text is one in another form. */
    public static Optional<String> shape(String text) {
        Matcher matcher = OTHER_SHAPE.matcher(text.strip());
        return matcher.matches()
                ? Optional.of(matcher.group(1) + "x" + matcher.group(2) + "x" + matcher.group(3))
                : Optional.empty();
    }

    /** Reads a shape; one in another form is refused with the right one. */
    public static ProblemShape readShape(String text) {
        try {
            return ProblemShape.parse(text);
        } catch (IllegalArgumentException wrong) {
            String hint = shape(text)
                    .filter(right -> !right.equals(text))
                    .map(right -> "; did you mean " + right + "?")
                    .orElse("");
            throw new IllegalArgumentException(wrong.getMessage() + hint, wrong);
        }
    }

    private static Optional<String> meant(String text, String[] known) {
        String plain = plain(text);
        return Stream.of(known)
                .map(String::strip)
                .filter(name -> plain(name).equals(TYPES.getOrDefault(plain, plain)))
                .findFirst()
                .or(() -> Stream.of(known)
                        .map(String::strip)
                        .filter(name -> plain.length() > 3 && distance(plain, plain(name)) <= 1)
                        .findFirst());
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
    }

    /** How many letters must be added, dropped, changed, or swapped with their neighbour. */
    private static int distance(String one, String other) {
        int[][] rows = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                rows[i][j] = i == 0 || j == 0
                        ? i + j
                        : Math.min(
                                rows[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1),
                                1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
                boolean swapped = i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1);
                if (swapped) {
                    rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
                }
            }
        }
        return rows[one.length()][other.length()];
    }
}
