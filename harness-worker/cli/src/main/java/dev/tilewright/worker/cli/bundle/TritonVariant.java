package dev.tilewright.worker.cli.bundle;

import dev.tilewright.model.space.Sha256;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.JsonFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A kernel that Triton compiled. Its name says what it is, so that it is the same in every cache and survives an edit
 * of the source: warps, stages, and a hash of its constexprs. Triton does not keep these: {@link TritonConstexprs} has
 * them where somebody wrote them down, else what they have left in Triton's IR stands for them, the extents of tiles.
 *
 * @param kernel name of the function
 * @param name such as {@code w4-s3-0123abcd}
 * @param constexprs by name; none if nobody wrote them down
 * @param extents of its tiles, such as {@code 64x32}; none without IR
 * @param arguments name and type of each as the source has them; none without IR
 * @param scratch pointers that Triton appends to the parameters
 */
record TritonVariant(
        String kernel,
        String name,
        int warps,
        int stages,
        int ctas,
        int shared,
        Map<String, String> constexprs,
        List<String> extents,
        List<String> arguments,
        int scratch,
        long scratchBytes,
        String ptx,
        PtxSignature signature) {
    /** The same kernels have the same order, whatever the cache calls its folders. */
    static final Comparator<TritonVariant> ORDER = Comparator.comparingInt(TritonVariant::warps)
            .thenComparingInt(TritonVariant::stages)
            .thenComparing(TritonVariant::name);

    static final Pattern NAME = Pattern.compile("w\\d+-s\\d+-[0-9a-f]{8}(?:-[0-9a-f]{8})?");

    private static final int HASH_DIGITS = 8;
    private static final Pattern FUNCTION = Pattern.compile("tt\\.func public @\\w+\\((.*)");
    private static final Pattern ARGUMENT = Pattern.compile("%(\\w+): (!?[\\w.]+(?:<[^ ]*>)?)");
    private static final Pattern TENSOR = Pattern.compile("tensor<((?:\\d+x)+)");
    private static final Pattern PLACES = Pattern.compile("//[^\n]*|(?m)^\\s*\\.(?:loc|file)\\b.*$");

    TritonVariant {
        constexprs = Collections.unmodifiableMap(new TreeMap<>(constexprs));
        extents = List.copyOf(extents);
        arguments = List.copyOf(arguments);
    }

    /** The variant that a file describes; empty if it describes no kernel for a GPU of NVIDIA. */
    static Optional<TritonVariant> read(Path file, TritonConstexprs written) throws IOException {
        JsonNode json;
        try {
            json = JsonMapper.shared().readTree(Files.readString(file));
        } catch (JacksonException malformed) {
            throw CommandFailedException.usage(file + ": " + JsonFault.reason(malformed));
        }
        // __grp__NAME.json lists files, and other backends have no PTX.
        if (!json.path("name").isString()
                || !json.path("num_warps").isInt()
                || !json.path("shared").isInt()) {
            return Optional.empty();
        }
        String kernel = json.path("name").stringValue();
        Path text = file.resolveSibling(kernel + ".ptx");
        if (!Files.isRegularFile(text)) {
            return Optional.empty();
        }
        String ptx = Files.readString(text);
        PtxSignature signature = PtxSignature.in(ptx).stream()
                .filter(each -> each.entry().equals(kernel))
                .findFirst()
                .orElseThrow(() -> CommandFailedException.usage(text + ": has no kernel " + kernel));
        Path ir = file.resolveSibling(kernel + ".ttir");
        Optional<String> said = Files.isRegularFile(ir) ? Optional.of(Files.readString(ir)) : Optional.empty();
        int warps = json.path("num_warps").intValue();
        int stages = json.path("num_stages").asInt(0);
        int ctas = json.path("num_ctas").asInt(1);
        Map<String, String> constexprs = written.of(json.path("hash").asString(""));
        List<String> extents = said.map(TritonVariant::extents).orElse(List.of());
        List<String> arguments = said.map(TritonVariant::arguments).orElse(List.of());
        String identity = String.join(
                "\n",
                signature.target(),
                Integer.toString(ctas),
                constexprs.isEmpty() ? extents.toString() : new TreeMap<>(constexprs).toString(),
                // One more argument is no other kernel; bf16 in place of f16 is.
                arguments.stream()
                        .map(argument -> argument.substring(argument.indexOf(' ') + 1))
                        .collect(Collectors.toCollection(TreeSet::new))
                        .toString());
        // 3.2 appended the scratch of the kernel, 3.4 that of the profiler behind it.
        boolean profiled = json.has("profile_scratch_size");
        return Optional.of(new TritonVariant(
                kernel,
                "w" + warps + "-s" + stages + "-" + Sha256.hex(identity).substring(0, HASH_DIGITS),
                warps,
                stages,
                ctas,
                json.path("shared").intValue(),
                constexprs,
                extents,
                arguments,
                profiled ? 2 : json.has("global_scratch_size") ? 1 : 0,
                json.path("global_scratch_size").asLong(0),
                ptx,
                signature));
    }

    /** The same with a hash of its text in its name: another one is alike in all that the name says. */
    TritonVariant namedByText() {
        String longer =
                name + "-" + Sha256.hex(PLACES.matcher(ptx).replaceAll("")).substring(0, HASH_DIGITS);
        return new TritonVariant(
                kernel,
                longer,
                warps,
                stages,
                ctas,
                shared,
                constexprs,
                extents,
                arguments,
                scratch,
                scratchBytes,
                ptx,
                signature);
    }

    /** The file of its text in a bundle. */
    String file() {
        return kernel + "-" + name + ".ptx";
    }

    /** The variant on one line. */
    String line() {
        return name + ": num_warps " + warps + ", num_stages " + stages + ", num_ctas " + ctas + ", shared " + shared
                + (constexprs.isEmpty()
                        ? extents.isEmpty() ? "" : ", tiles " + String.join(" ", extents)
                        : constexprs.entrySet().stream()
                                .map(constexpr -> ", " + constexpr.getKey() + " " + constexpr.getValue())
                                .collect(Collectors.joining()));
    }

    /** Its parameters for people: arguments of the source where they are known. */
    String taken() {
        int own = signature.parameters().size() - scratch;
        String named = arguments.size() == own
                ? String.join(", ", arguments)
                : signature.parameters().subList(0, own).stream()
                        .map(PtxSignature.Parameter::type)
                        .collect(Collectors.joining(", "));
        return named + (scratch == 0 ? "" : ", and " + scratch + " of scratch");
    }

    private static List<String> extents(String ir) {
        return TENSOR.matcher(ir)
                .results()
                .map(found -> found.group(1).replaceAll("(?<!\\d)1x", "").replaceAll("x$", ""))
                .filter(extent -> extent.contains("x"))
                .distinct()
                .sorted()
                .toList();
    }

    private static List<String> arguments(String ir) {
        Matcher function = FUNCTION.matcher(ir);
        return function.find()
                ? ARGUMENT.matcher(function.group(1))
                        .results()
                        .map(found -> found.group(1) + " " + found.group(2))
                        .toList()
                : List.of();
    }
}
