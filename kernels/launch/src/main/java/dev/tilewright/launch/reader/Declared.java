package dev.tilewright.launch.reader;

import dev.tilewright.launch.document.Complaints;
import dev.tilewright.launch.document.Node;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Items of a launch, each read for itself. An item that names a faulty buffer adds no fault of its own. */
final class Declared {
    private final Complaints complaints;
    private final Set<String> faulty = new HashSet<>();

    /** @param complaints takes the fault of each item */
    Declared(Complaints complaints) {
        this.complaints = complaints;
    }

    /** Reads the buffer of this name, or takes its fault. */
    <T> Optional<T> buffer(String name, Node node, Function<Node, T> reader) {
        Optional<T> read = complaints.read(() -> reader.apply(node));
        if (read.isEmpty()) {
            faulty.add(name);
        }
        return read;
    }

    /** Reads each item, or takes its fault. */
    <T> List<T> items(List<Node> items, Function<Node, T> reader) {
        return items.stream()
                .filter(item -> !namesFaulty(item))
                .map(item -> complaints.read(() -> reader.apply(item)))
                .flatMap(Optional::stream)
                .toList();
    }

    private boolean namesFaulty(Node node) {
        return switch (node) {
            case Node.Mapping mapping -> mapping.entries().values().stream().anyMatch(this::namesFaulty);
            case Node.Items items -> items.items().stream().anyMatch(this::namesFaulty);
            case Node.Scalar scalar -> faulty.contains(scalar.written());
        };
    }
}
