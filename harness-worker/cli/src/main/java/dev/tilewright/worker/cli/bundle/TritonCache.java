package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.JsonFault;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code bundle from-triton}: makes a bundle of what Triton keeps in its cache, a folder for each compiled variant with
 * {@code NAME.json} and {@code NAME.ptx}.
 *
 * @param kernel which of several kernels
 */
record TritonCache(Path cache, Optional<String> kernel, PrintStream out) {
    private static final int THREADS_OF_WARP = 32;
    private static final Pattern FUNCTION = Pattern.compile("tt\\.func public @\\w+\\((.*)");
    private static final Pattern ARGUMENT = Pattern.compile("%(\\w+): (!?[\\w.]+(?:<[^ ]*>)?)");

    /**
     * A compiled kernel.
     *
     * @param scratch pointers that Triton appends to the parameters
     */
    private record Variant(
            String name,
            int warps,
            int stages,
            int ctas,
            int shared,
            int scratch,
            long scratchBytes,
            Path folder,
            PtxSignature signature) {}

    void write(Path directory) throws IOException {
        List<Variant> all = variants();
        List<String> names = all.stream().map(Variant::name).distinct().sorted().toList();
        if (names.isEmpty()) {
            throw CommandFailedException.usage(
                    cache + ": holds no kernel of Triton, that is NAME.json beside NAME.ptx");
        }
        if (kernel.isEmpty() && names.size() > 1 || kernel.isPresent() && !names.contains(kernel.get())) {
            throw CommandFailedException.usage("--kernel: must be one of " + names
                    + kernel.map(name -> ", got '" + name + "'").orElse(""));
        }
        String name = kernel.orElse(names.getFirst());
        List<Variant> chosen =
                all.stream().filter(variant -> variant.name().equals(name)).toList();
        Path description = directory.resolve(BundleFiles.DESCRIPTION);
        if (Files.exists(description)) {
            throw CommandFailedException.usage("--to: " + description + " exists already");
        }
        Files.createDirectories(directory);
        for (int i = 0; i < chosen.size(); i++) {
            Path file = directory.resolve(name + "-" + (i + 1) + ".ptx");
            Files.copy(chosen.get(i).folder().resolve(name + ".ptx"), file);
            out.println("written: " + file);
        }
        Files.writeString(description, skeleton(name, chosen).yaml());
        out.println(
                "written: " + description + "; fill what is called TODO, then: tilewright bundle check " + directory);
    }

    private List<Variant> variants() throws IOException {
        if (!Files.isDirectory(cache)) {
            throw CommandFailedException.usage(cache + ": must be a folder, such as ~/.triton/cache");
        }
        List<Path> descriptions;
        try (Stream<Path> files = Files.walk(cache)) {
            descriptions = files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        List<Variant> variants = new ArrayList<>();
        for (Path file : descriptions) {
            variant(file).ifPresent(variants::add);
        }
        variants.sort(Comparator.comparingInt(Variant::warps)
                .thenComparingInt(Variant::stages)
                .thenComparingInt(Variant::shared)
                .thenComparing(variant -> variant.folder().toString()));
        return variants;
    }

    private static Optional<Variant> variant(Path file) throws IOException {
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
        String name = json.path("name").stringValue();
        Path folder = file.toAbsolutePath().getParent();
        Path ptx = folder.resolve(name + ".ptx");
        if (!Files.isRegularFile(ptx)) {
            return Optional.empty();
        }
        PtxSignature signature = PtxSignature.in(Files.readString(ptx)).stream()
                .filter(each -> each.entry().equals(name))
                .findFirst()
                .orElseThrow(() -> CommandFailedException.usage(ptx + ": has no kernel " + name));
        // 3.2 appended the scratch of the kernel, 3.4 that of the profiler behind it.
        boolean profiled = json.has("profile_scratch_size");
        int scratch = profiled ? 2 : json.has("global_scratch_size") ? 1 : 0;
        return Optional.of(new Variant(
                name,
                json.path("num_warps").intValue(),
                json.path("num_stages").asInt(0),
                json.path("num_ctas").asInt(1),
                json.path("shared").intValue(),
                scratch,
                json.path("global_scratch_size").asLong(0),
                folder,
                signature));
    }

    private BundleSkeleton skeleton(String name, List<Variant> variants) throws IOException {
        Variant first = variants.getFirst();
        List<String> title = new ArrayList<>(List.of(
                "Made of Triton's cache by tilewright bundle from-triton, "
                        + first.signature().target() + ".",
                "The cache does not say the values of tl.constexpr, such as BLOCK_M. Write one line each below 'let',"
                        + " by",
                "variant, as for 'warps'; the grid needs them."));
        IntStream.range(0, variants.size())
                .forEach(i -> title.add("variant " + (i + 1) + ": num_warps "
                        + variants.get(i).warps() + ", num_stages "
                        + variants.get(i).stages() + ", num_ctas "
                        + variants.get(i).ctas() + ", shared " + variants.get(i).shared()));
        List<String> numbers = IntStream.rangeClosed(1, variants.size())
                .mapToObj(String::valueOf)
                .toList();
        List<String> parameters = parameters(first);
        String cluster = variants.stream().anyMatch(variant -> variant.ctas() > 1)
                ? "\n  cluster: " + by(variants, Variant::ctas)
                : "";
        return new BundleSkeleton(
                BundleSkeleton.nameOf(name),
                title,
                List.of("variant: " + numbers),
                List.of("warps: " + by(variants, Variant::warps), "shared: " + by(variants, Variant::shared)),
                name + "-${variant}.ptx",
                name,
                THREADS_OF_WARP + " * warps" + cluster,
                "shared",
                parameters);
    }

    /** A value for each variant, as one expression. */
    private static String by(List<Variant> variants, Function<Variant, Integer> value) {
        List<Integer> values = variants.stream().map(value).toList();
        if (values.stream().distinct().count() == 1) {
            return values.getFirst().toString();
        }
        return "\""
                + IntStream.range(0, values.size() - 1)
                        .mapToObj(i -> "variant == " + (i + 1) + " ? " + values.get(i) + " : ")
                        .collect(Collectors.joining())
                + values.getLast() + "\"";
    }

    private static List<String> parameters(Variant variant) throws IOException {
        List<String> names = arguments(variant);
        List<PtxSignature.Parameter> parameters = variant.signature().parameters();
        int own = parameters.size() - variant.scratch();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            PtxSignature.Parameter parameter = parameters.get(i);
            if (i < own) {
                lines.add(parameter.line() + "  # " + parameter.type()
                        + (names.size() == own ? ", " + names.get(i) : ""));
            } else if (i > own || variant.scratchBytes() == 0) {
                lines.add("- nullPointer  # scratch of " + (i > own ? "the profiler" : "the kernel, not used"));
            } else {
                lines.add("- pointer: TODO  # scratch: a buffer of " + variant.scratchBytes() + " bytes for each CTA");
            }
        }
        return lines;
    }

    /** Names and types of the arguments as the source has them, where the cache has the IR. */
    private static List<String> arguments(Variant variant) throws IOException {
        Path ir = variant.folder().resolve(variant.name() + ".ttir");
        if (!Files.isRegularFile(ir)) {
            return List.of();
        }
        Matcher function = FUNCTION.matcher(Files.readString(ir));
        if (!function.find()) {
            return List.of();
        }
        return ARGUMENT.matcher(function.group(1))
                .results()
                .map(argument -> argument.group(1) + " " + argument.group(2))
                .toList();
    }
}
