package dev.tilewright.worker.cli;

import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options that name the kernel file of {@code check}, if any. */
final class KernelFileOptions {

    @Parameters(
            arity = "0..1",
            paramLabel = "KERNEL.ptx",
            description = "Check the kernel of this file instead of configs of a family.")
    private @Nullable Path kernel;

    @Option(
            names = "--launch",
            paramLabel = "FILE",
            description = "How the kernel is launched and what must come out, YAML or JSON"
                    + " (default: KERNEL.yaml beside the file). See docs/launch-description.md.")
    private @Nullable Path launch;

    @Option(
            names = "--entry",
            paramLabel = "NAME",
            description =
                    "Name of the kernel in the file, or as much of it as only one has (default: the one in the launch"
                            + " description, or the only one).")
    private @Nullable String entry;

    @Option(
            names = "--skeleton",
            description = "Print a launch description of the kernel to fill in, and check nothing.")
    private boolean skeleton;

    @Option(
            names = "--dump",
            paramLabel = "BUFFER=FILE.npy",
            description = "Write a buffer as the last run left it, as NumPy's array; repeatable.")
    private List<String> dumped = new ArrayList<>();

    /**
     * The kernel file; empty if configs are to be checked.
     *
     * @param proof may have an option that says something of a kernel file
     */
    Optional<Path> kernel(ProofOptions proof) {
        if (kernel == null) {
            given(proof).findFirst().ifPresent(option -> {
                throw CommandFailedException.usage(option + ": needs a kernel file, KERNEL.ptx");
            });
        }
        Syntax.requireReadable("KERNEL.ptx", kernel);
        Syntax.requireReadable("--launch", launch);
        Optional<Path> file = Optional.ofNullable(kernel);
        file.flatMap(PtxSource::wayToPtx).ifPresent(way -> {
            throw CommandFailedException.usage("KERNEL.ptx: " + way);
        });
        return file;
    }

    /** Options that say something of a kernel file. */
    private Stream<String> given(ProofOptions proof) {
        Map<String, Boolean> given = new LinkedHashMap<>();
        given.put("--launch", launch != null);
        given.put("--entry", entry != null);
        given.put("--skeleton", skeleton);
        given.put("--steps", proof.limitsSteps());
        given.put("--dump", !dumped.isEmpty());
        return given.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey);
    }

    /** Whether a launch description is wanted, not a check. */
    boolean skeleton() {
        return skeleton;
    }

    List<Dump> dumps() {
        return dumped.stream().map(Dump::of).toList();
    }

    Optional<String> entry() {
        return Optional.ofNullable(entry);
    }

    /** The description of its launch. */
    Path launch(Path file) {
        if (launch != null) {
            return launch;
        }
        if (file.endsWith(BundleFiles.DESCRIPTION)) {
            throw CommandFailedException.usage("KERNEL.ptx: " + file + " describes a bundle: tilewright bundle check "
                    + Objects.requireNonNullElse(file.getParent(), Path.of(".")));
        }
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.ptx$", "") + ".yaml";
        Path beside = file.resolveSibling(name);
        if (!Files.exists(beside)) {
            throw new CommandFailedException(
                    ExitCode.USAGE,
                    "--launch: is missing, and there is no " + beside + " either",
                    List.of("one to fill in: tilewright check " + file + " --skeleton > " + beside),
                    null);
        }
        return beside;
    }
}
