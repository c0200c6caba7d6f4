package dev.tilewright.api.web.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The text of a kernel in parts that can be folded: where it names its warp roles, each is a part, and so is what
 * stands between two. A text that names none is one part.
 *
 * @param truncated whether the text was longer than is shown
 */
record FoldedText(List<Part> parts, int lines, boolean truncated) {

    /** A page has its size; the whole text is a link away. */
    private static final int MOST_LINES = 6000;

    private static final Pattern ROLE = Pattern.compile("\\s*//@ role (\\S+): (.*)");
    private static final Pattern END = Pattern.compile("\\s*//@ end role (\\S+)");

    /**
     * Consecutive lines.
     *
     * @param role {@code null} for what belongs to no role
     * @param warps such as {@code warps 0..3}
     * @param first number of its first line, from 1
     */
    record Part(@Nullable String role, String warps, int first, int last, String text) {}

    static FoldedText of(String text) {
        List<String> lines = text.lines().toList();
        List<String> shown = lines.subList(0, Math.min(MOST_LINES, lines.size()));
        List<Part> parts = new ArrayList<>();
        int from = 0;
        String role = null;
        String warps = "";
        for (int i = 0; i < shown.size(); i++) {
            Matcher begins = ROLE.matcher(shown.get(i));
            Matcher ends = END.matcher(shown.get(i));
            if (begins.matches()) {
                add(parts, shown, role, warps, from, i);
                role = begins.group(1);
                warps = begins.group(2);
                from = i;
            } else if (ends.matches()) {
                add(parts, shown, role, warps, from, i + 1);
                role = null;
                warps = "";
                from = i + 1;
            }
        }
        add(parts, shown, role, warps, from, shown.size());
        return new FoldedText(parts, lines.size(), shown.size() < lines.size());
    }

    private static void add(
            List<Part> parts, List<String> lines, @Nullable String role, String warps, int from, int to) {
        List<String> own = lines.subList(from, to);
        if (own.stream().anyMatch(line -> !line.isBlank())) {
            parts.add(new Part(role, warps, from + 1, to, own.stream().collect(Collectors.joining("\n"))));
        }
    }
}
