package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.cli.capture.LaunchedKernel;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code bundle from-triton}: makes a bundle of the variants of a kernel. A description that is there already is kept,
 * and must still fit them.
 *
 * @param variants at least one, all of one kernel
 * @param launched kernels whose launches were recorded; none if the user fills the description
 */
record TritonBundle(List<TritonVariant> variants, List<LaunchedKernel> launched, Printer out) {
    private static final int THREADS_OF_WARP = 32;
    private static final Set<String> EXTENTS = Set.of("m", "n", "k", "batch", "sms");
    private static final String TODO = LaunchedDescription.TODO;

    TritonBundle {
        variants = List.copyOf(variants);
        launched = List.copyOf(launched);
    }

    /** A bundle passes the same arguments to all its variants: those of the variant that was launched most. */
    static TritonBundle of(List<TritonVariant> variants, List<LaunchedKernel> launched, Printer out) {
        Optional<List<LaunchedKernel.Argument>> most = launched.stream()
                .filter(kernel ->
                        variants.stream().anyMatch(variant -> variant.hash().equals(kernel.hash())))
                .max(Comparator.comparingLong(LaunchedKernel::count))
                .map(LaunchedKernel::arguments);
        if (most.isEmpty()) {
            return new TritonBundle(variants, launched, out);
        }
        List<LaunchedKernel> alike = launched.stream()
                .filter(kernel -> kernel.arguments().equals(most.get()))
                .toList();
        Map<Boolean, List<TritonVariant>> taken = variants.stream()
                .collect(Collectors.partitioningBy(variant ->
                        alike.stream().anyMatch(kernel -> kernel.hash().equals(variant.hash()))));
        taken.get(false)
                .forEach(variant ->
                        out.println("left out: " + variant.name() + " takes other arguments: " + variant.taken()));
        return new TritonBundle(taken.get(true), alike, out);
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
        String yaml = skeleton(described()).yaml();
        Files.writeString(description, yaml);
        if (yaml.contains(TODO)) {
            out.println("written: " + description + "; fill what is called TODO, then: tilewright bundle check "
                    + directory);
        } else {
            out.println("written: " + description + "; next: tilewright bundle check " + directory);
        }
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

    /** The description by the recording; empty if there is none, or it shows no GEMM. */
    private Optional<LaunchedDescription> described() {
        List<LaunchSample> samples = variants.stream()
                .flatMap(variant -> launched.stream()
                        .filter(kernel -> kernel.hash().equals(variant.hash()))
                        .flatMap(kernel ->
                                kernel.launches().stream().map(launch -> new LaunchSample(variant, kernel, launch))))
                .toList();
        if (samples.isEmpty()) {
            return Optional.empty();
        }
        try {
            LaunchedDescription known = LaunchedDescription.of(variants, samples);
            if (!known.gemm().sure()) {
                out.println("the extents of all launches fit several layouts of A and B, of which the first was taken:"
                        + " bundle check says whether it is right");
            }
            return Optional.of(known);
        } catch (NoGemmException none) {
            out.println(
                    "no GEMM is seen in the launches of " + variants.getFirst().kernel() + ": " + none.getMessage()
                            + ". Fill problem, grid and parameters by hand");
            return Optional.empty();
        }
    }

    private BundleSkeleton skeleton(Optional<LaunchedDescription> described) {
        TritonVariant first = variants.getFirst();
        List<String> title = new ArrayList<>(List.of("Made of Triton's cache by tilewright bundle from-triton, "
                + first.signature().target() + "."));
        if (first.constexprs().isEmpty()) {
            title.add(
                    "The cache does not say the values of tl.constexpr, such as BLOCK_M. Write one line each below 'let',");
            title.add("by variant, as for 'warps'; the grid needs them.");
        }
        described.ifPresent(known -> title.add(
                "Problem, grid and parameters are those of launches at " + String.join(", ", known.shapes()) + "."));
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
                parameters(first, described),
                described.map(LaunchedDescription::facts));
    }

    /** Constexprs that are numbers of every variant can be used in expressions. */
    private List<String> let() {
        List<String> lines = new ArrayList<>();
        for (String name : variants.getFirst().constexprs().keySet()) {
            // A constexpr m is fixed by a condition, and the extent has its name.
            if (!EXTENTS.contains(name)
                    && variants.stream()
                            .allMatch(variant ->
                                    variant.constexprs().getOrDefault(name, "").matches("[0-9]{1,9}"))) {
                lines.add(name + ": "
                        + by(variant -> Integer.valueOf(variant.constexprs().get(name))));
            }
        }
        lines.add("warps: " + by(TritonVariant::warps));
        lines.add("shared: " + by(TritonVariant::shared));
        if (variants.stream().anyMatch(variant -> variant.scratchBytes() > 0)) {
            lines.add("scratch: " + by(variant -> Math.toIntExact(variant.scratchBytes())));
        }
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

    private List<String> parameters(TritonVariant variant, Optional<LaunchedDescription> described) {
        List<PtxSignature.Parameter> parameters = variant.signature().parameters();
        int own = variant.own();
        boolean buffer = described.flatMap(known -> known.facts().scratch()).isPresent();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            PtxSignature.Parameter parameter = parameters.get(i);
            if (i < own) {
                int argument = i;
                String line = described
                        .map(known -> known.parameter(argument, parameter))
                        .orElseGet(parameter::line);
                lines.add(line
                        + (line.contains("#") ? "; " : "  # ")
                        + parameter.type()
                        + (variant.ir().arguments().size() == own
                                ? ", " + variant.ir().arguments().get(i).said()
                                : ""));
            } else if (i > own || variants.stream().allMatch(each -> each.scratchBytes() == 0)) {
                lines.add("- nullPointer  # scratch of " + (i > own ? "the profiler" : "the kernel, not used"));
            } else if (buffer) {
                lines.add("- pointer: SCRATCH  # scratch of the kernel");
            } else {
                lines.add("- pointer: TODO  # scratch: a buffer of " + variant.scratchBytes() + " bytes for each CTA");
            }
        }
        return lines;
    }
}
