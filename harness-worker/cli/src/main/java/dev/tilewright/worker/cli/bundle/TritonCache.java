package dev.tilewright.worker.cli.bundle;

import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.cli.capture.LaunchedKernel;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cache of Triton's compiled kernels: a folder for each variant with {@code NAME.json} and {@code NAME.ptx}.
 *
 * @param launched kernels whose launches were recorded: only these are taken; empty takes all
 * @param out notices
 */
record TritonCache(Path folder, List<LaunchedKernel> launched, Printer out) {

    TritonCache {
        launched = List.copyOf(launched);
    }

    /**
     * The variants of one kernel, in {@linkplain TritonVariant#ORDER their order}.
     *
     * @param kernel which of several kernels; empty if there is one
     */
    List<TritonVariant> of(Optional<String> kernel) throws IOException {
        List<TritonVariant> all = taken(variants());
        List<String> names =
                all.stream().map(TritonVariant::kernel).distinct().sorted().toList();
        if (names.isEmpty()) {
            throw CommandFailedException.usage(
                    folder + ": holds no kernel of Triton, that is NAME.json beside NAME.ptx");
        }
        if (kernel.isEmpty() && names.size() > 1 || kernel.isPresent() && !names.contains(kernel.get())) {
            throw CommandFailedException.usage("--kernel: must be one of " + names
                    + kernel.map(name -> ", got '" + name + "'").orElse(""));
        }
        String name = kernel.orElse(names.getFirst());
        return apart(
                all.stream().filter(variant -> variant.kernel().equals(name)).toList());
    }

    private List<TritonVariant> taken(List<TritonVariant> variants) {
        if (launched.isEmpty()) {
            return variants;
        }
        Set<String> hashes = launched.stream().map(LaunchedKernel::hash).collect(Collectors.toSet());
        List<TritonVariant> taken = variants.stream()
                .filter(variant -> hashes.contains(variant.hash()))
                .toList();
        if (taken.isEmpty() && !variants.isEmpty()) {
            throw CommandFailedException.usage("--from: none of the kernels of " + folder
                    + " was launched; recorded are "
                    + launched.stream()
                            .map(LaunchedKernel::name)
                            .distinct()
                            .sorted()
                            .toList()
                    + ", compiled into another cache");
        }
        return taken;
    }

    private List<TritonVariant> variants() throws IOException {
        if (!Files.isDirectory(folder)) {
            throw CommandFailedException.usage(folder + ": must be a folder, such as ~/.triton/cache");
        }
        List<Path> descriptions;
        try (Stream<Path> files = Files.walk(folder)) {
            descriptions = files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        TritonConstexprs written = TritonConstexprs.in(folder).with(launched);
        List<TritonVariant> variants = new ArrayList<>();
        for (Path file : descriptions) {
            TritonVariant.read(file.toAbsolutePath(), written).ifPresent(variants::add);
        }
        return variants;
    }

    /** One text is there once, however often it was compiled; other texts have names of their own. */
    private List<TritonVariant> apart(List<TritonVariant> variants) {
        Map<String, List<TritonVariant>> named = variants.stream()
                .collect(Collectors.groupingBy(TritonVariant::name, LinkedHashMap::new, Collectors.toList()));
        List<TritonVariant> apart = new ArrayList<>();
        named.forEach((name, alike) -> {
            Map<String, TritonVariant> texts = new LinkedHashMap<>();
            alike.forEach(variant -> texts.putIfAbsent(variant.namedByText().name(), variant.namedByText()));
            if (texts.size() == 1) {
                apart.add(alike.getFirst());
                return;
            }
            apart.addAll(texts.values());
            out.println(texts.size() + " kernels " + name + " have different texts, so a hash of the text is in their"
                    + " names, which an edit changes: compile into an empty cache, and write the constexprs into its "
                    + TritonConstexprs.FILE);
        });
        apart.sort(TritonVariant.ORDER);
        return apart;
    }
}
