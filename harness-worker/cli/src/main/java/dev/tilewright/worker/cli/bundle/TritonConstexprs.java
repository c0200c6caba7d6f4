package dev.tilewright.worker.cli.bundle;

import dev.tilewright.worker.cli.capture.LaunchedKernel;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.JsonFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The values of {@code tl.constexpr} of compiled kernels. The script that compiles may write them into the cache, and a
 * recording of launches has them.
 *
 * @param byHash of a kernel as Triton has it in {@code NAME.json}
 */
record TritonConstexprs(Map<String, Map<String, String>> byHash) {
    static final String FILE = "constexprs.json";

    TritonConstexprs {
        byHash = Map.copyOf(byHash);
    }

    /**
     * Reads the constexprs of a cache; there are none if the cache has no such file.
     *
     * @throws CommandFailedException if the file is not {@code {HASH: {NAME: VALUE}}}
     */
    static TritonConstexprs in(Path cache) throws IOException {
        Path file = cache.resolve(FILE);
        Map<String, Map<String, String>> byHash = new LinkedHashMap<>();
        if (Files.isRegularFile(file)) {
            root(file).properties().forEach(kernel -> byHash.put(kernel.getKey(), values(file, kernel)));
        }
        return new TritonConstexprs(byHash);
    }

    /** These, and those of launches that were recorded, which win. */
    TritonConstexprs with(List<LaunchedKernel> launched) {
        Map<String, Map<String, String>> all = new LinkedHashMap<>(byHash);
        launched.forEach(kernel -> all.put(kernel.hash(), kernel.constexprs()));
        return new TritonConstexprs(all);
    }

    private static JsonNode root(Path file) throws IOException {
        JsonNode root;
        try {
            root = JsonMapper.shared().readTree(Files.readString(file));
        } catch (JacksonException malformed) {
            throw CommandFailedException.usage(file + ": " + JsonFault.reason(malformed));
        }
        if (!root.isObject()) {
            throw CommandFailedException.usage(
                    file + ": must be an object of hashes of kernels, {HASH: {NAME: VALUE}}, got " + root);
        }
        return root;
    }

    private static Map<String, String> values(Path file, Map.Entry<String, JsonNode> kernel) {
        Map<String, String> values = new LinkedHashMap<>();
        kernel.getValue()
                .properties()
                .forEach(value -> values.put(
                        value.getKey(),
                        value.getValue().isValueNode() ? value.getValue().asString() : ""));
        if (values.isEmpty() || values.containsValue("")) {
            throw CommandFailedException.usage(file + ": " + kernel.getKey()
                    + ": must be names of constexprs with a number or a word each, got " + kernel.getValue());
        }
        return values;
    }

    /** The constexprs of one kernel; none if they are not known. */
    Map<String, String> of(String hash) {
        return byHash.getOrDefault(hash, Map.of());
    }
}
