package dev.tilewright.launch.reader;

import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One of several things: a name alone, or a name and what belongs to it.
 *
 * @param at the whole
 * @param value what stands behind the name; empty if it stands alone
 */
record Variant(Node at, String name, Optional<Node> value) {

    /** Reads text, or a mapping of one key. */
    static Variant of(Node node) {
        if (node instanceof Node.Mapping mapping) {
            if (mapping.entries().size() != 1) {
                throw node.at()
                        .wrong("must have exactly one key, got "
                                + mapping.entries().keySet());
            }
            Map.Entry<String, Node> only =
                    mapping.entries().entrySet().iterator().next();
            return new Variant(only.getValue(), only.getKey(), Optional.of(only.getValue()));
        }
        return new Variant(node, node.text(), Optional.empty());
    }

    /** Reads a mapping of one key beside the {@code others}. */
    static Variant of(Node.Mapping mapping, String... others) {
        List<String> rest = new ArrayList<>(mapping.entries().keySet());
        rest.removeAll(List.of(others));
        if (rest.size() != 1) {
            throw mapping.at().wrong("must have exactly one key beside " + String.join(", ", others) + ", got " + rest);
        }
        Node value = mapping.get(rest.getFirst());
        return new Variant(value, rest.getFirst(), Optional.of(value));
    }

    /** The value; its absence is an error. */
    Node needed() {
        return value.orElseThrow(() -> at.at().wrong("'" + name + "' needs a value"));
    }

    /** The value as a mapping; empty if the name stands alone. */
    Node.Mapping options(String... keys) {
        return value.map(node -> node.mapping().only(keys)).orElseGet(() -> new Node.Mapping(at.at(), Map.of()));
    }

    /** Requires that the name stands alone; behind a key, nothing or null. */
    void alone() {
        value.filter(node -> !isNothing(node)).ifPresent(node -> {
            throw node.at().wrong("'" + name + "' takes no value, got " + node.shown());
        });
    }

    private static boolean isNothing(Node node) {
        return node instanceof Node.Scalar(var _, Node.Kind kind, String written, var _)
                && (kind == Node.Kind.NULL || kind == Node.Kind.TEXT && written.isEmpty());
    }

    DocumentException unknown(String... known) {
        return at.at().wrong("must be one of " + String.join(", ", known) + ", got '" + name + "'");
    }
}
