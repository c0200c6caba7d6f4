package dev.tilewright.worker.cli.capture;

import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.process.ScratchDirectory;
import dev.tilewright.worker.link.process.UserProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code capture}: runs a program that uses PyTorch, and records its GEMMs. */
@Command(
        name = "capture",
        description = "Run a program that uses PyTorch, and record its GEMMs: which, how often, in which share of the"
                + " GPU's time; and each launch of a kernel of Triton.",
        footer = {
            "",
            "The program keeps its output, input and exit code; tilewright adds one line on standard error.",
            "tilewright tune --from DIR tunes what was recorded, and tilewright bundle from-triton CACHE --from DIR"
                    + " makes a bundle of a kernel of Triton. docs/capture.md says what is seen and what is not."
        })
public final class CaptureCommand implements Callable<Integer> {

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "Folder for " + CaptureFile.NAME + " and " + LaunchesFile.NAME
                    + "; recordings in it are replaced (default:" + " ${DEFAULT-VALUE}).")
    private Path folder = Path.of("capture");

    @Option(
            names = "--devices",
            paramLabel = "TYPE",
            split = ",",
            splitSynopsisLabel = ",",
            description = "Devices of PyTorch whose GEMMs are recorded, such as cuda,cpu (default: cuda).")
    private List<String> devices = new ArrayList<>(List.of("cuda"));

    @Option(
            names = "--module",
            paramLabel = "DIR",
            description = "Write the Python package tilewright_capture into this folder, for `with"
                    + " tilewright_capture.recording(\"out\"):`, and run nothing.")
    private @Nullable Path module;

    @Parameters(
            arity = "0..*",
            paramLabel = "PROGRAM",
            description = "The program with its arguments, such as -- python train.py --steps 100, or torchrun.")
    private List<String> program = new ArrayList<>();

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;

    /**
     * @param environment of this process, which the program gets too
     * @param out results
     * @param err what is said when the program is over
     */
    public CaptureCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (module != null) {
            if (!program.isEmpty()) {
                throw CommandFailedException.usage("--module: runs nothing, got the program " + program.getFirst());
            }
            PythonModule.write(module);
            out.println("written: " + module.resolve("tilewright_capture"));
            return ExitCode.OK.code();
        }
        if (program.isEmpty()) {
            throw CommandFailedException.usage(
                    "the program is missing; name it behind --, such as: tilewright capture -- python program.py");
        }
        Files.createDirectories(folder);
        try (ScratchDirectory scratch = ScratchDirectory.create("capture")) {
            Path python = scratch.path();
            PythonModule.write(python);
            int exit = run(python, PythonModule.writeStarter(python));
            err.println("tilewright capture: " + said());
            return exit;
        }
    }

    private List<Path> recordings() throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "{capture,triton}{,-*}.json")) {
            files.forEach(found::add);
        }
        return found;
    }

    /** The program runs already, and goes on whatever happens here. */
    private void remove(List<Path> recordings) {
        for (Path file : recordings) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException kept) {
                err.println("tilewright capture: " + file + ": an earlier recording cannot be removed: "
                        + FileFault.reason(kept));
            }
        }
    }

    private int run(Path python, Path starter) throws IOException, InterruptedException {
        List<Path> earlier = recordings();
        Map<String, String> more = Map.of(
                PythonModule.PATH,
                PythonModule.path(environment, starter, python),
                "TILEWRIGHT_CAPTURE_TO",
                folder.toAbsolutePath().toString(),
                "TILEWRIGHT_CAPTURE_DEVICES",
                String.join(",", devices),
                "TILEWRIGHT_CAPTURE_MAIN",
                "");
        return new UserProgram(program, more).run(() -> remove(earlier));
    }

    /** One line, whatever became of the recording: the exit code is the program's. */
    private String said() {
        Path file = folder.resolve(CaptureFile.NAME);
        if (!Files.exists(file)) {
            return "nothing was recorded: the program did not import torch, or its Python takes no sitecustomize"
                    + " from PYTHONPATH (-I, -E, -S)";
        }
        try {
            String seen = new CaptureSummary(CaptureReader.read("--to", folder)).line() + "; " + file;
            Path launches = folder.resolve(LaunchesFile.NAME);
            return Files.exists(launches)
                    ? seen + "; " + LaunchesFile.read("--to", folder).said() + "; " + launches
                    : seen;
        } catch (CommandFailedException wrong) {
            return String.valueOf(wrong.getMessage());
        }
    }
}
