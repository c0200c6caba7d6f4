package dev.tilewright.worker.cli.gate.file;

import dev.tilewright.launch.document.Complaints;
import dev.tilewright.launch.document.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads a baseline: exactly one of a branch, a tag, a commit, a run, the last pass of a branch and another kernel. */
record BaselineReader(Complaints complaints, Map<String, KernelEntry> kernels) {

    private static final List<String> KEYS = List.of("branch", "tag", "commit", "run", "lastPass", "kernel");
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,40}");
    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    Optional<BaselineEntry> read(Node node) {
        Optional<Node.Mapping> said = complaints.read(node::mapping);
        if (said.isEmpty()) {
            return Optional.empty();
        }
        Node.Mapping baseline = complaints.only(said.get(), KEYS);
        List<String> given =
                KEYS.stream().filter(key -> baseline.find(key).isPresent()).toList();
        if (given.size() != 1) {
            complaints.add(node, "needs exactly one of the keys " + String.join(", ", KEYS) + ", got " + given);
            return Optional.empty();
        }
        return complaints.read(() -> one(given.getFirst(), baseline.get(given.getFirst())));
    }

    private BaselineEntry one(String key, Node node) {
        return switch (key) {
            case "branch" -> Complaints.valid(node, () -> new BaselineEntry.Branch(text(node)));
            case "tag" -> Complaints.valid(node, () -> new BaselineEntry.Tag(text(node)));
            case "commit" -> new BaselineEntry.Commit(matching(node, COMMIT));
            case "run" -> new BaselineEntry.Run(UUID.fromString(matching(node, UUID_TEXT)));
            case "lastPass" -> Complaints.valid(node, () -> new BaselineEntry.LastPass(text(node)));
            default -> new BaselineEntry.OtherKernel(kernel(node));
        };
    }

    /** Digits alone are a number to YAML, and the name of a branch, a hash or an argument all the same. */
    static String text(Node node) {
        return node instanceof Node.Scalar(var _, Node.Kind kind, String written, var _) && kind == Node.Kind.NUMBER
                ? written
                : node.text();
    }

    private static String matching(Node node, Pattern rule) {
        String text = text(node);
        if (!rule.matcher(text).matches()) {
            throw node.at().wrong("must be " + rule + ", got " + node.shown());
        }
        return text;
    }

    private KernelEntry kernel(Node node) {
        return Optional.ofNullable(kernels.get(node.text()))
                .orElseThrow(() -> node.at()
                        .wrong("unknown kernel " + node.shown() + "; known: " + String.join(", ", kernels.keySet())));
    }
}
