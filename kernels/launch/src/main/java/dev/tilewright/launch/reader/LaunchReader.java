package dev.tilewright.launch.reader;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.document.Complaints;
import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.DocumentReader;
import dev.tilewright.launch.document.Node;
import dev.tilewright.model.text.FileFault;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads launch descriptions: {@code docs/launch-description.md}. */
public final class LaunchReader {
    /** Of a launch description. */
    private static final List<String> KEYS = List.of(
            "entry", "grid", "block", "cluster", "dynamicShared", "launchOverlap", "buffers", "parameters", "expect");

    private static final int MAX_THREADS = 1024;
    /** Of a grid in y and z. */
    private static final int MAX_ROWS = 65_535;

    private static final int MAX_CTAS_OF_CLUSTER = 16;
    /** Of an SM of sm_90 and sm_100: 227 KiB. */
    private static final int MAX_SHARED_BYTES = 232_448;

    private LaunchReader() {}

    /**
     * The description in a file; {@code .json} is JSON, all others are YAML. Files that it names are relative to it.
     *
     * @throws DocumentException naming file, position, key, value and rule
     */
    public static LaunchDescription read(Path file) {
        String name = String.valueOf(file.getFileName());
        try {
            return read(
                    Files.readString(file),
                    name.endsWith(".json"),
                    beside(file.toAbsolutePath().getParent()),
                    ReadLimits.EMULATED);
        } catch (MalformedInputException notText) {
            throw new DocumentException(file + ": is no UTF-8 text");
        } catch (IOException unreadable) {
            throw new DocumentException(file + ": cannot be read: " + FileFault.reason(unreadable));
        } catch (DocumentException wrong) {
            throw wrong.in(file.toString());
        }
    }

    /**
     * The description in a text of YAML that names no files, of a launch that nobody emulates: its buffers may be as
     * large as they like.
     *
     * @throws DocumentException naming position, key, value and rule
     */
    public static LaunchDescription described(String yaml) {
        return read(yaml, false, FileSource.NONE, ReadLimits.DESCRIBED);
    }

    static LaunchDescription read(String text, boolean json, Path directory) {
        return read(text, json, beside(directory), ReadLimits.EMULATED);
    }

    private static FileSource beside(Path directory) {
        return name -> Files.readAllBytes(directory.resolve(name));
    }

    private static LaunchDescription read(String text, boolean json, FileSource source, ReadLimits limits) {
        return read(DocumentReader.read(text, json).mapping(), source, limits);
    }

    /**
     * The description in a document. Where the document is in a scope, an expression may stand for any number.
     *
     * @throws DocumentException naming position, key, value and rule of each fault
     */
    public static LaunchDescription read(Node.Mapping root, FileSource source, ReadLimits limits) {
        Complaints complaints = new Complaints();
        complaints.only(root, KEYS);
        DataFiles files = new DataFiles(source);
        Declared declared = new Declared(complaints);
        List<BufferDescription> all = complaints
                .find(root, "buffers", node -> new BufferReader(files, limits.bytes(), declared).read(node.mapping()))
                .orElse(List.of());
        Map<String, BufferDescription> buffers = new LinkedHashMap<>();
        all.forEach(buffer -> buffers.put(buffer.name(), buffer));
        Optional<Extents> grid = complaints.get(root, "grid", node -> extents(node, limits.ctas()));
        Optional<Extents> block = complaints.get(root, "block", node -> extents(node, MAX_THREADS));
        Optional<Extents> cluster = complaints.find(root, "cluster", node -> extents(node, MAX_CTAS_OF_CLUSTER));
        Optional<String> entry = complaints.find(root, "entry", Node::text);
        int shared = complaints
                .find(root, "dynamicShared", node -> node.small(0, MAX_SHARED_BYTES))
                .orElse(0);
        boolean overlap = complaints.find(root, "launchOverlap", Node::flag).orElse(false);
        List<KernelParameter> parameters = complaints
                .find(root, "parameters", node -> new ParameterReader(buffers).read(node, declared))
                .orElse(List.of());
        List<Expectation> expected = complaints
                .get(root, "expect", node -> new ExpectationReader(buffers, files).read(node, declared))
                .orElse(List.of());
        complaints.requireNone();
        return new LaunchDescription(
                entry, grid.orElseThrow(), block.orElseThrow(), cluster, shared, overlap, all, parameters, expected);
    }

    private static Extents extents(Node node, int most) {
        if (node instanceof Node.Scalar) {
            return Extents.of(node.small(1, most));
        }
        List<Node> items = node.items();
        if (items.isEmpty() || items.size() > 3) {
            throw node.at().wrong("must have 1 to 3 extents x, y, z, got " + items.size());
        }
        int[] extents = {1, 1, 1};
        for (int i = 0; i < items.size(); i++) {
            extents[i] = items.get(i).small(1, i == 0 ? most : Math.min(most, MAX_ROWS));
        }
        Extents read = new Extents(extents[0], extents[1], extents[2]);
        if (read.count() > most) {
            throw node.at()
                    .wrong("must have at most " + most + " together, got " + read.x() + "x" + read.y() + "x" + read.z()
                            + " = " + read.count());
        }
        return read;
    }
}
