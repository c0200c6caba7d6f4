package dev.tilewright.launch.writer;

import dev.tilewright.launch.LaunchDescription;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** Writes a launch so that the reader makes an equal one of the text. */
public final class LaunchWriter {

    /** Text that YAML accepts without quotes, except for the words below. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final Pattern WORD =
            Pattern.compile("true|false|null|yes|no|on|off|y|n|nan|inf", Pattern.CASE_INSENSITIVE);

    private LaunchWriter() {}

    /**
     * YAML: a line for each buffer, parameter and expectation.
     *
     * @param titles lines of comment at the top
     */
    public static String yaml(List<String> titles, LaunchDescription launch) {
        StringBuilder text = new StringBuilder();
        titles.forEach(title -> text.append("# ").append(title).append('\n'));
        LaunchTree.of(launch)
                .forEach((key, value) -> text.append(key).append(':').append(block(value)));
        return text.toString();
    }

    /** The same as JSON, on one line. */
    public static String json(LaunchDescription launch) {
        return JsonMapper.shared().writeValueAsString(LaunchTree.of(launch));
    }

    private static String block(Object value) {
        return switch (value) {
            case Map<?, ?> map
            when !map.isEmpty() ->
                map.entrySet().stream()
                        .map(entry ->
                                "  " + flow(String.valueOf(entry.getKey())) + ": " + flow(entry.getValue()) + "\n")
                        .collect(Collectors.joining("", "\n", ""));
            case List<?> items
            when !items.isEmpty() && items.stream().allMatch(Map.class::isInstance) ->
                items.stream().map(item -> "  - " + flow(item) + "\n").collect(Collectors.joining("", "\n", ""));
            default -> " " + flow(value) + "\n";
        };
    }

    private static String flow(Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> flow(String.valueOf(entry.getKey())) + ": " + flow(entry.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case List<?> items -> items.stream().map(LaunchWriter::flow).collect(Collectors.joining(", ", "[", "]"));
            case String text ->
                PLAIN.matcher(text).matches() && !WORD.matcher(text).matches()
                        ? text
                        : JsonMapper.shared().writeValueAsString(text);
            default -> String.valueOf(value);
        };
    }
}
