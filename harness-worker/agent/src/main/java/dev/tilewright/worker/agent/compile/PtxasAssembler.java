package dev.tilewright.worker.agent.compile;

import dev.tilewright.worker.link.process.ChildCommand;
import dev.tilewright.worker.link.process.ExitStatus;
import dev.tilewright.worker.link.process.ProcessTree;
import dev.tilewright.worker.link.process.ScratchDirectory;
import dev.tilewright.worker.link.process.VisibleGpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** CUDA's own assembler, one process a text. */
public final class PtxasAssembler extends RetryingAssembler {

    private static final Pattern VERSION = Pattern.compile("release \\d+\\.\\d+, V(\\S+)");
    private static final Pattern UNSUPPORTED =
            Pattern.compile("Unsupported \\.version|is not defined for option 'gpu-name'|Value '\\S+' is not defined");
    private static final long ADDRESS_SPACE_KIB = 8L << 20;

    private final Path ptxas;

    private PtxasAssembler(Path ptxas, AssemblerId id) {
        super(id);
        this.ptxas = ptxas;
    }

    /**
     * Asks the program for its version.
     *
     * @throws IOException if it cannot be run, or what it says is not the word of a ptxas
     */
    public static PtxasAssembler at(Path ptxas) throws IOException {
        Run run = run(new ChildCommand("ptxas", List.of(ptxas.toString(), "--version"), BLIND), Duration.ofSeconds(20));
        Matcher version = VERSION.matcher(run.output());
        if (run.overdue() || run.status().code() != 0 || !version.find()) {
            throw new IOException(ptxas + " --version did not answer as ptxas does (" + run.status() + "): "
                    + run.output().strip());
        }
        return new PtxasAssembler(ptxas, new AssemblerId("ptxas", version.group(1), "-v"));
    }

    @Override
    AssemblyResult attempt(String ptx, String target, Duration limit) {
        try (ScratchDirectory scratch = ScratchDirectory.create("ptxas")) {
            Files.writeString(scratch.path().resolve("kernel.ptx"), ptx);
            ChildCommand command = new ChildCommand(
                            "ptxas",
                            List.of(ptxas.toString(), "-v", "-arch=" + target, "kernel.ptx", "-o", "kernel.cubin"),
                            BLIND)
                    .withAddressSpace(ADDRESS_SPACE_KIB)
                    .givingWay();
            Run run = run(command, scratch.path(), limit);
            if (run.overdue()) {
                return new AssemblyResult.Overdue(limit);
            }
            if (run.status().isKilledFromOutside()) {
                // Such as for want of memory: the text has nothing to do with it.
                return new AssemblyResult.Broken(
                        "ptxas ended with " + run.status() + ": " + run.output().strip());
            }
            if (run.status().code() != 0) {
                return UNSUPPORTED.matcher(run.output()).find()
                        ? new AssemblyResult.Unsupported(run.output().strip())
                        : new AssemblyResult.Refused((run.output().strip() + "\nptxas: " + run.status()).strip());
            }
            return new PtxasLog(run.output())
                    .with(Files.readAllBytes(scratch.path().resolve("kernel.cubin")));
        } catch (IOException broken) {
            return new AssemblyResult.Broken("ptxas could not be run: " + broken.getMessage());
        }
    }

    private static final Map<String, String> BLIND = Map.of(VisibleGpus.VARIABLE, "");

    /** How a run of the program ended; the status of a killed one means nothing. */
    private record Run(boolean overdue, ExitStatus status, String output) {}

    private static Run run(ChildCommand command, Duration limit) throws IOException {
        try (ScratchDirectory scratch = ScratchDirectory.create("ptxas")) {
            return run(command, scratch.path(), limit);
        }
    }

    private static Run run(ChildCommand command, Path directory, Duration limit) throws IOException {
        Path log = directory.resolve("log");
        Process process = command.builder()
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process.getOutputStream().close();
        ProcessTree tree = new ProcessTree(process.toHandle());
        boolean late = !tree.awaitExit(limit);
        // Who was stopped by somebody counts as killed by somebody.
        boolean stopped = late && tree.isStopped();
        if (late) {
            tree.kill();
        }
        return new Run(late && !stopped, late ? ExitStatus.killed() : ExitStatus.of(process), Files.readString(log));
    }

    @Override
    public void close() {
        // Nothing outlives a call.
    }
}
