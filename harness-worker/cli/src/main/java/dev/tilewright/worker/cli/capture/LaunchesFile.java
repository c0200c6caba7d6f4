package dev.tilewright.worker.cli.capture;

import dev.tilewright.launch.document.Complaints;
import dev.tilewright.launch.document.Node;
import dev.tilewright.model.text.Count;
import dev.tilewright.worker.cli.capture.LaunchedKernel.Value;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The launches of Triton's kernels in a recording, as {@code docs/triton.schema.json} describes them.
 *
 * @param kernels variants that were launched
 * @param configs how many configs the autotuners of a kernel have, by the name of its function
 */
public record LaunchesFile(List<LaunchedKernel> kernels, Map<String, Integer> configs) {

    /** The name of the file in the folder of a recording. */
    public static final String NAME = "triton.json";

    private static final int SCHEMA_VERSION = 1;
    private static final int MOST_WARPS = 64;
    private static final long MOST_ELEMENTS = Long.MAX_VALUE;
    private static final List<String> KEYS =
            List.of("schemaVersion", "program", "end", "versions", "kernels", "autotuned", "leftOut", "faults");
    private static final List<String> KERNEL_KEYS = List.of(
            "name",
            "hash",
            "warps",
            "stages",
            "ctas",
            "shared",
            "constexprs",
            "specialised",
            "arguments",
            "launches",
            "more");

    public LaunchesFile {
        kernels = List.copyOf(kernels);
        configs = Map.copyOf(configs);
    }

    /**
     * Reads a file, or the one of a folder.
     *
     * @param option that named it
     * @throws CommandFailedException with the JSON pointer of each fault
     */
    public static LaunchesFile read(String option, Path named) {
        Path file = Files.isDirectory(named) ? named.resolve(NAME) : named;
        return RecordedJson.read(option, file, LaunchesFile::document);
    }

    /** The launches in a few words. */
    String said() {
        long names = kernels.stream().map(LaunchedKernel::name).distinct().count();
        long launches = kernels.stream().mapToLong(LaunchedKernel::count).sum();
        return Count.of(names, "Triton kernel") + " in " + Count.of(launches, "launch", "launches");
    }

    private static LaunchesFile document(Node node) {
        Complaints complaints = new Complaints();
        Node.Mapping root = complaints.only(node.mapping(), KEYS);
        complaints.get(root, "schemaVersion", value -> value.small(SCHEMA_VERSION, SCHEMA_VERSION));
        List<LaunchedKernel> kernels = complaints.get(root, "kernels", Node::items).orElse(List.of()).stream()
                .flatMap(each -> complaints.read(() -> kernel(each)).stream())
                .toList();
        Map<String, Integer> configs = new LinkedHashMap<>();
        complaints
                .find(root, "autotuned", Node::items)
                .orElse(List.of())
                .forEach(each -> complaints.read(() -> {
                    Node.Mapping tuned = each.mapping().only("name", "configs");
                    return configs.merge(
                            tuned.get("name").text(),
                            tuned.get("configs").items().size(),
                            Integer::sum);
                }));
        complaints.requireNone();
        return new LaunchesFile(kernels, configs);
    }

    private static LaunchedKernel kernel(Node node) {
        Node.Mapping kernel = node.mapping().only(KERNEL_KEYS.toArray(String[]::new));
        List<LaunchedKernel.Argument> arguments = kernel.get("arguments").items().stream()
                .map(each -> each.mapping().only("name", "type"))
                .map(each -> new LaunchedKernel.Argument(
                        each.get("name").text(), each.get("type").text()))
                .toList();
        List<LaunchedKernel.Launch> launches = kernel.get("launches").items().stream()
                .map(each -> launch(each, arguments.size()))
                .toList();
        if (launches.isEmpty()) {
            throw kernel.get("launches").at().wrong("needs at least one launch");
        }
        return new LaunchedKernel(
                kernel.get("name").text(),
                kernel.get("hash").text(),
                kernel.get("warps").small(1, MOST_WARPS),
                scalars(kernel.get("constexprs")),
                scalars(kernel.get("specialised")),
                arguments,
                launches,
                kernel.find("more").map(LaunchesFile::count).orElse(0L));
    }

    private static LaunchedKernel.Launch launch(Node node, int arguments) {
        Node.Mapping launch = node.mapping().only("grid", "count", "trials", "values");
        Node values = launch.get("values");
        if (values.items().size() != arguments) {
            throw values.at()
                    .wrong("must have " + arguments + " values, one for each argument, got "
                            + values.items().size());
        }
        List<Long> grid = numbers(launch.get("grid"));
        if (grid.isEmpty() || grid.size() > 3) {
            throw launch.get("grid").at().wrong("must have 1 to 3 extents, got " + grid.size());
        }
        return new LaunchedKernel.Launch(
                grid,
                count(launch.get("count")),
                launch.find("trials").map(LaunchesFile::count).orElse(0L),
                values.items().stream().map(LaunchesFile::value).toList());
    }

    private static Value value(Node node) {
        return switch (node) {
            case Node.Scalar scalar -> new Value.Scalar(scalar.written());
            case Node.Mapping mapping -> {
                mapping.only("shape", "strides");
                Value.Tensor tensor = new Value.Tensor(numbers(mapping.get("shape")), numbers(mapping.get("strides")));
                if (tensor.shape().size() != tensor.strides().size()) {
                    throw mapping.at()
                            .wrong("must have as many strides as extents, got " + tensor.strides() + " for "
                                    + tensor.shape());
                }
                yield tensor;
            }
            case Node.Items items -> throw items.at().wrong("must be a tensor or a scalar, got " + items.shown());
        };
    }

    private static List<Long> numbers(Node node) {
        return node.items().stream().map(each -> each.integer(0, MOST_ELEMENTS)).toList();
    }

    private static long count(Node node) {
        return node.integer(0, MOST_ELEMENTS);
    }

    private static Map<String, String> scalars(Node node) {
        Map<String, String> scalars = new LinkedHashMap<>();
        node.mapping().entries().forEach((key, value) -> {
            if (!(value instanceof Node.Scalar scalar)) {
                throw value.at().wrong("must be a number, a word, true, false or null, got " + value.shown());
            }
            scalars.put(key, scalar.written());
        });
        return scalars;
    }
}
