package dev.tilewright.worker.cli.capture;

import dev.tilewright.launch.document.Complaints;
import dev.tilewright.launch.document.Node;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads {@code capture.json}; every field that is wrong is refused with its JSON pointer, its value and the rule. */
public final class CaptureReader {

    private static final Pattern END = Pattern.compile("finished|running|SIGTERM|exception: .+");
    private static final List<String> KEYS = List.of(
            "schemaVersion",
            "program",
            "end",
            "seconds",
            "observedSeconds",
            "versions",
            "device",
            "gpu",
            "notProfiled",
            "problems",
            "faults");
    private static final int MOST_GPUS = 1 << 16;

    private final Complaints complaints = new Complaints();

    private CaptureReader() {}

    /**
     * Reads a file, or the one of a folder.
     *
     * @param option that named it
     * @throws CommandFailedException with a line for each fault
     */
    public static CaptureFile read(String option, Path named) {
        Path file = Files.isDirectory(named) ? named.resolve(CaptureFile.NAME) : named;
        return RecordedJson.read(option, file, node -> new CaptureReader().document(node));
    }

    private CaptureFile document(Node node) {
        Node.Mapping root = complaints.only(node.mapping(), KEYS);
        complaints.get(
                root, "schemaVersion", value -> value.small(CaptureFile.SCHEMA_VERSION, CaptureFile.SCHEMA_VERSION));
        Optional<List<String>> program = complaints.get(
                root, "program", value -> value.items().stream().map(Node::text).toList());
        Optional<String> end = complaints.get(root, "end", CaptureReader::end);
        Optional<Double> seconds = complaints.get(root, "seconds", CaptureReader::notNegative);
        Optional<Double> observed = complaints.get(root, "observedSeconds", CaptureReader::notNegative);
        Optional<Map<String, String>> versions = complaints.get(root, "versions", CaptureReader::texts);
        Optional<Optional<String>> device = complaints.get(root, "device", this::device);
        Optional<CaptureFile.Gpu> gpu = complaints.find(root, "gpu", this::gpu);
        complaints.find(root, "notProfiled", Node::text);
        complaints.find(root, "faults", CaptureReader::texts);
        if (root.find("gpu").isPresent() == root.find("notProfiled").isPresent()) {
            complaints.add(root, "needs exactly one of the keys 'gpu' and 'notProfiled'");
        }
        List<CapturedProblem> problems = complaints.get(root, "problems", Node::items).orElse(List.of()).stream()
                .flatMap(each ->
                        new CapturedProblemReader(complaints, root.find("gpu").isPresent()).read(each).stream())
                .toList();
        complaints.requireNone();
        return new CaptureFile(
                program.orElseThrow(),
                end.orElseThrow(),
                seconds.orElseThrow(),
                observed.orElseThrow(),
                versions.orElseThrow(),
                device.orElseThrow(),
                gpu,
                problems);
    }

    private static String end(Node node) {
        String text = node.text();
        if (!END.matcher(text).matches()) {
            throw node.at().wrong("must match " + END + ", got " + node.shown());
        }
        return text;
    }

    static double notNegative(Node node) {
        double value = node.decimal();
        if (value < 0) {
            throw node.at().wrong("must be at least 0, got " + node.shown());
        }
        return value;
    }

    static double share(Node node) {
        double value = notNegative(node);
        if (value > 1) {
            throw node.at().wrong("must be from 0 to 1, got " + node.shown());
        }
        return value;
    }

    private static Map<String, String> texts(Node node) {
        Map<String, String> texts = new LinkedHashMap<>();
        node.mapping().entries().forEach((key, value) -> texts.put(key, value.text()));
        return texts;
    }

    private Optional<String> device(Node node) {
        if (node instanceof Node.Scalar(var _, Node.Kind kind, var _, var _) && kind == Node.Kind.NULL) {
            return Optional.empty();
        }
        Node.Mapping mapping = complaints.only(node.mapping(), List.of("name", "capability", "sms", "count"));
        complaints.get(mapping, "capability", Node::text);
        complaints.get(mapping, "sms", value -> value.small(1, MOST_GPUS));
        complaints.get(mapping, "count", value -> value.small(1, MOST_GPUS));
        return complaints.get(mapping, "name", Node::text);
    }

    private CaptureFile.Gpu gpu(Node node) {
        Node.Mapping mapping = complaints.only(
                node.mapping(), List.of("profiledSeconds", "busySeconds", "gemmShare", "unattributedShare"));
        return new CaptureFile.Gpu(
                notNegative(mapping.get("profiledSeconds")),
                notNegative(mapping.get("busySeconds")),
                share(mapping.get("gemmShare")),
                share(mapping.get("unattributedShare")));
    }
}
