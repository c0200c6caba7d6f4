package dev.tilewright.worker.cli.bundle;

import dev.tilewright.model.space.Sha256;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.JsonFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
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
 * @param hash of its entry in the cache; empty if the cache does not say it
 * @param name such as {@code w4-s3-0123abcd}
 * @param constexprs by name; none if nobody wrote them down
 * @param scratch pointers that Triton appends to the parameters
 */
record TritonVariant(
        String kernel,
        String hash,
        String name,
        int warps,
        int stages,
        int ctas,
        int shared,
        Map<String, String> constexprs,
        TritonIr ir,
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
    private static final Pattern PLACES = Pattern.compile("//[^\n]*|(?m)^\\s*\\.(?:loc|file)\\b.*$");

    TritonVariant {
        constexprs = Collections.unmodifiableMap(new TreeMap<>(constexprs));
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
        Path irFile = file.resolveSibling(kernel + ".ttir");
        TritonIr ir = Files.isRegularFile(irFile) ? TritonIr.of(Files.readString(irFile)) : TritonIr.NONE;
        String hash = json.path("hash").asString("");
        int warps = json.path("num_warps").intValue();
        int stages = json.path("num_stages").asInt(0);
        int ctas = json.path("num_ctas").asInt(1);
        Map<String, String> constexprs = written.of(hash);
        String identity = String.join(
                "\n",
                signature.target(),
                Integer.toString(ctas),
                constexprs.isEmpty() ? ir.extents().toString() : new TreeMap<>(constexprs).toString(),
                // One more argument is no other kernel; bf16 in place of f16 is.
                ir.arguments().stream()
                        .map(TritonIr.Argument::type)
                        .collect(Collectors.toCollection(TreeSet::new))
                        .toString());
        // 3.2 appended the scratch of the kernel, 3.4 that of the profiler behind it.
        boolean profiled = json.has("profile_scratch_size");
        return Optional.of(new TritonVariant(
                kernel,
                hash,
                "w" + warps + "-s" + stages + "-" + Sha256.hex(identity).substring(0, HASH_DIGITS),
                warps,
                stages,
                ctas,
                json.path("shared").intValue(),
                constexprs,
                ir,
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
                hash,
                longer,
                warps,
                stages,
                ctas,
                shared,
                constexprs,
                ir,
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
                        ? ir.extents().isEmpty() ? "" : ", tiles " + String.join(" ", ir.extents())
                        : constexprs.entrySet().stream()
                                .map(constexpr -> ", " + constexpr.getKey() + " " + constexpr.getValue())
                                .collect(Collectors.joining()));
    }

    /** How many parameters are arguments of the source: the first ones. */
    int own() {
        return signature.parameters().size() - scratch;
    }

    /** Its parameters for people: arguments of the source where they are known. */
    String taken() {
        int own = own();
        String named = ir.arguments().size() == own
                ? ir.arguments().stream().map(TritonIr.Argument::said).collect(Collectors.joining(", "))
                : signature.parameters().subList(0, own).stream()
                        .map(PtxSignature.Parameter::type)
                        .collect(Collectors.joining(", "));
        return named + (scratch == 0 ? "" : ", and " + scratch + " of scratch");
    }
}
