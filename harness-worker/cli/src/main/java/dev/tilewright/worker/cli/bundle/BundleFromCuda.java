package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.process.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code bundle from-cuda}: compiles a file of CUDA C++ once for each combination of values, and writes the description
 * that is left to be filled.
 *
 * @param defines names of {@code -D} with their values, in the order of the command line
 * @param flags further options of nvcc
 */
record BundleFromCuda(
        Path source,
        Map<String, List<ParameterValue>> defines,
        String architecture,
        List<String> flags,
        Optional<String> entry,
        @Nullable Path nvcc,
        Printer out) {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int SHOWN_LINES = 12;
    private static final int MOST_PRINTED = 1 << 24;

    /** A folder of its own for the files of a source, in the current one: {@code gemm} for {@code src/gemm.cu}. */
    static Path folder(Path source) {
        return Path.of(name(source) + (name(source).equals(String.valueOf(source.getFileName())) ? "-bundle" : ""));
    }

    private static String name(Path source) {
        return String.valueOf(source.getFileName()).replaceFirst("\\.cu$", "");
    }

    void write(Path directory) throws IOException, InterruptedException {
        if (nvcc == null) {
            throw CommandFailedException.infrastructure(
                    "there is no nvcc on the PATH; run this where the CUDA toolkit is installed, and take the folder"
                            + " with you");
        }
        List<Map<String, ParameterValue>> points = points();
        if (points.size() > BundleFiles.MOST_FILES - 2) {
            throw CommandFailedException.usage(
                    "--define: at most " + (BundleFiles.MOST_FILES - 2) + " combinations, got " + points.size());
        }
        Files.createDirectories(directory);
        List<PtxSignature> signatures = new ArrayList<>();
        for (Map<String, ParameterValue> point : points) {
            Path file = directory.resolve(fileName(value -> point.get(value).toString()));
            compile(point, file);
            signatures.add(signature(file));
            out.println("written: " + file);
        }
        Path description = directory.resolve(BundleFiles.DESCRIPTION);
        if (Files.exists(description)) {
            out.println("kept: " + description);
            return;
        }
        Files.writeString(description, skeleton(signatures).yaml());
        out.println(
                "written: " + description + "; fill what is called TODO, then: tilewright bundle check " + directory);
    }

    private List<Map<String, ParameterValue>> points() {
        List<Map<String, ParameterValue>> points = List.of(Map.of());
        for (Map.Entry<String, List<ParameterValue>> define : defines.entrySet()) {
            points = points.stream()
                    .flatMap(point -> define.getValue().stream().map(value -> {
                        Map<String, ParameterValue> more = new java.util.LinkedHashMap<>(point);
                        more.put(define.getKey(), value);
                        return more;
                    }))
                    .toList();
        }
        return points;
    }

    /** Such as {@code gemm-TILE64-STEP16.ptx}. */
    private String fileName(java.util.function.UnaryOperator<String> valueOf) {
        return name(source)
                + defines.keySet().stream()
                        .map(define -> "-" + define + valueOf.apply(define))
                        .collect(Collectors.joining())
                + ".ptx";
    }

    private void compile(Map<String, ParameterValue> point, Path file) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(String.valueOf(nvcc), "-arch=" + architecture, "-ptx"));
        command.addAll(flags);
        point.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of(source.toString(), "-o", file.toString()));
        String call = String.join(" ", command);
        try {
            Path here = Path.of("").toAbsolutePath();
            ProgramRun.Ended ended = new ProgramRun(command, here, LIMIT, MOST_PRINTED).run();
            if (ended.exit() != 0) {
                List<String> said = Stream.of(ended.out(), ended.err())
                        .flatMap(String::lines)
                        .limit(SHOWN_LINES)
                        .toList();
                throw new CommandFailedException(ExitCode.NEGATIVE, call + ": ended with " + ended.exit(), said, null);
            }
        } catch (TimeoutException late) {
            throw new CommandFailedException(
                    ExitCode.NEGATIVE, call + ": did not end within " + LIMIT.toMinutes() + " min");
        }
    }

    private PtxSignature signature(Path file) throws IOException {
        List<PtxSignature> kernels = PtxSignature.in(Files.readString(file));
        List<String> names = kernels.stream().map(PtxSignature::entry).toList();
        return kernels.stream()
                .filter(kernel -> entry.map(kernel.entry()::equals).orElse(kernels.size() == 1))
                .findFirst()
                .orElseThrow(() ->
                        CommandFailedException.usage("--entry: must be one of the kernels of " + source + ", " + names
                                + entry.map(name -> ", got '" + name + "'").orElse("; it has not just one")));
    }

    private BundleSkeleton skeleton(List<PtxSignature> signatures) {
        PtxSignature first = signatures.getFirst();
        // A template's name has its values in it.
        boolean oneEntry = signatures.stream().allMatch(each -> each.entry().equals(first.entry()));
        List<String> blocks =
                signatures.stream().map(PtxSignature::blockText).distinct().toList();
        List<String> title = new ArrayList<>(
                List.of("Made of " + source.getFileName() + " by tilewright bundle from-cuda, " + architecture + "."));
        if (blocks.size() == 1 && !first.block().isEmpty() && !first.exact()) {
            title.add("The block is the largest that the kernel takes (__launch_bounds__); it may want a smaller one.");
        }
        return new BundleSkeleton(
                BundleSkeleton.nameOf(String.valueOf(source.getFileName()).replaceFirst("\\.cu$", "")),
                title,
                defines.entrySet().stream()
                        .map(define -> define.getKey() + ": " + define.getValue())
                        .toList(),
                List.of(),
                fileName(define -> "${" + define + "}"),
                oneEntry ? first.entry() : "TODO",
                blocks.size() == 1 ? blocks.getFirst() : "TODO # one of " + blocks,
                "0",
                first.parameters().stream()
                        .map(parameter ->
                                parameter.line() + "  # " + parameter.name() + ", " + parameter.bytes() + " bytes")
                        .toList(),
                Optional.empty());
    }
}
