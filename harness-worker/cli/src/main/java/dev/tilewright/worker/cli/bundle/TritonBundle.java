package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code bundle from-triton}: makes a bundle of the variants of a kernel. A description that is there already is kept,
 * and must still fit them.
 *
 * @param variants at least one, all of one kernel
 */
record TritonBundle(List<TritonVariant> variants, PrintStream out) {
    private static final int THREADS_OF_WARP = 32;
    private static final String TODO = "TODO";

    TritonBundle {
        variants = List.copyOf(variants);
    }

    void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        removeOthers(directory);
        for (TritonVariant variant : variants) {
            Path file = directory.resolve(variant.file());
            Files.writeString(file, variant.ptx());
            out.println("written: " + file);
        }
        Path description = directory.resolve(BundleFiles.DESCRIPTION);
        if (Files.exists(description)) {
            requireFit(directory, description);
            return;
        }
        Files.writeString(description, skeleton().yaml());
        out.println(
                "written: " + description + "; fill what is called TODO, then: tilewright bundle check " + directory);
    }

    /** Texts of an earlier call whose kernels are no longer in the cache: no config may find them. */
    private void removeOthers(Path directory) throws IOException {
        String kernel = variants.getFirst().kernel();
        List<Path> others;
        try (Stream<Path> files = Files.list(directory)) {
            others = files.filter(file -> {
                        String name = String.valueOf(file.getFileName());
                        return name.startsWith(kernel + "-")
                                && name.endsWith(".ptx")
                                && TritonVariant.NAME
                                        .matcher(name.substring(kernel.length() + 1, name.length() - ".ptx".length()))
                                        .matches()
                                && variants.stream()
                                        .noneMatch(variant -> variant.file().equals(name));
                    })
                    .sorted()
                    .toList();
        }
        for (Path other : others) {
            Files.delete(other);
            out.println("removed: " + other + "; the cache has no such kernel");
        }
    }

    private void requireFit(Path directory, Path description) throws IOException {
        if (Files.readString(description).contains(TODO)) {
            out.println(
                    "kept: " + description + "; fill what is called TODO, then: tilewright bundle check " + directory);
            return;
        }
        try {
            TritonFit fit = TritonFit.of(Bundle.read(BundleFiles.read(directory)), variants);
            if (!fit.misfits().isEmpty()) {
                List<String> lines = new ArrayList<>(fit.misfits());
                lines.add("the cache has " + names(variants) + "; 'let' for these kernels:");
                let().forEach(line -> lines.add("  " + line));
                throw new CommandFailedException(
                        ExitCode.USAGE, description + ": is kept, but does not fit the kernels", lines, null);
            }
            out.println("kept: " + description + "; it fits the kernels");
            if (!fit.unused().isEmpty()) {
                out.println("not in " + description + ": " + names(fit.unused()));
            }
        } catch (BundleException wrong) {
            throw CommandFailedException.usage(directory + ": " + wrong.getMessage(), wrong);
        }
    }

    private static String names(List<TritonVariant> variants) {
        return variants.stream().map(TritonVariant::name).collect(Collectors.joining(", "));
    }

    private BundleSkeleton skeleton() {
        TritonVariant first = variants.getFirst();
        List<String> title = new ArrayList<>(List.of("Made of Triton's cache by tilewright bundle from-triton, "
                + first.signature().target() + "."));
        if (first.constexprs().isEmpty()) {
            title.add(
                    "The cache does not say the values of tl.constexpr, such as BLOCK_M. Write one line each below 'let',");
            title.add("by variant, as for 'warps'; the grid needs them.");
        }
        variants.forEach(variant -> title.add(variant.line()));
        String cluster = variants.stream().anyMatch(variant -> variant.ctas() > 1)
                ? "\n  cluster: " + by(TritonVariant::ctas)
                : "";
        return new BundleSkeleton(
                BundleSkeleton.nameOf(first.kernel()),
                title,
                List.of("variant: [" + names(variants) + "]"),
                let(),
                first.kernel() + "-${variant}.ptx",
                first.kernel(),
                THREADS_OF_WARP + " * warps" + cluster,
                "shared",
                parameters(first));
    }

    /** Constexprs that are numbers of every variant can be used in expressions. */
    private List<String> let() {
        List<String> lines = new ArrayList<>();
        for (String name : variants.getFirst().constexprs().keySet()) {
            if (variants.stream()
                    .allMatch(variant ->
                            variant.constexprs().getOrDefault(name, "").matches("[0-9]{1,9}"))) {
                lines.add(name + ": "
                        + by(variant -> Integer.valueOf(variant.constexprs().get(name))));
            }
        }
        lines.add("warps: " + by(TritonVariant::warps));
        lines.add("shared: " + by(TritonVariant::shared));
        return lines;
    }

    /** A value for each variant, as one expression. */
    private String by(Function<TritonVariant, Integer> value) {
        TritonVariant last = variants.getLast();
        if (variants.stream().map(value).distinct().count() == 1) {
            return value.apply(last).toString();
        }
        return "\""
                + variants.subList(0, variants.size() - 1).stream()
                        .map(variant -> "variant == '" + variant.name() + "' ? " + value.apply(variant) + " : ")
                        .collect(Collectors.joining())
                + value.apply(last) + "\"";
    }

    private static List<String> parameters(TritonVariant variant) {
        List<PtxSignature.Parameter> parameters = variant.signature().parameters();
        int own = parameters.size() - variant.scratch();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            PtxSignature.Parameter parameter = parameters.get(i);
            if (i < own) {
                lines.add(parameter.line() + "  # " + parameter.type()
                        + (variant.arguments().size() == own
                                ? ", " + variant.arguments().get(i)
                                : ""));
            } else if (i > own || variant.scratchBytes() == 0) {
                lines.add("- nullPointer  # scratch of " + (i > own ? "the profiler" : "the kernel, not used"));
            } else {
                lines.add("- pointer: TODO  # scratch: a buffer of " + variant.scratchBytes() + " bytes for each CTA");
            }
        }
        return lines;
    }
}
