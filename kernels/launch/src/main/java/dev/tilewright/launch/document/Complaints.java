package dev.tilewright.launch.document;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Everything that is wrong with a document, so that its author sees all of it at once. */
public final class Complaints {

    private final List<String> lines = new ArrayList<>();

    /** Reads a value, or takes the complaint of its reader down. */
    public <T> Optional<T> read(Supplier<T> reader) {
        try {
            return Optional.of(reader.get());
        } catch (DocumentException wrong) {
            lines.addAll(wrong.faults());
            return Optional.empty();
        }
    }

    /** Reads the value of a key that may be absent. */
    public <T> Optional<T> find(Node.Mapping node, String key, Function<Node, T> reader) {
        return node.find(key).flatMap(value -> read(() -> reader.apply(value)));
    }

    /** Reads the value of a key that must be there. */
    public <T> Optional<T> get(Node.Mapping node, String key, Function<Node, T> reader) {
        return read(() -> node.get(key)).flatMap(value -> read(() -> reader.apply(value)));
    }

    /** Takes each key down that is none of these. */
    public Node.Mapping only(Node.Mapping node, Collection<String> known) {
        node.entries().forEach((key, value) -> {
            if (!known.contains(key)) {
                add(value, "unknown key '" + key + "'; known: " + String.join(", ", known));
            }
        });
        return node;
    }

    public void add(Node node, String rule) {
        lines.add(node.at().wrong(rule).getMessage());
    }

    /** All of them, from the top of the document down. */
    public List<String> lines() {
        return lines.stream()
                .sorted(Comparator.<String>comparingInt(line -> number(line, 0))
                        .thenComparingInt(line -> number(line, 1)))
                .toList();
    }

    /** @throws DocumentException with all of them, if there is one */
    public void requireNone() {
        if (!lines.isEmpty()) {
            throw new DocumentException(lines());
        }
    }

    /** Line or column, with which every complaint begins. */
    private static int number(String line, int which) {
        return Integer.parseInt(line.split(":", 3)[which]);
    }

    /** A value of the model, whose message names the value, and here its position too. */
    public static <T> T valid(Node node, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException wrong) {
            throw node.at().wrong(String.valueOf(wrong.getMessage()));
        }
    }
}
