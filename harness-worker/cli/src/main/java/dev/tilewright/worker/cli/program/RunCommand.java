package dev.tilewright.worker.cli.program;

import dev.tilewright.worker.cli.capture.PythonModule;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.process.ScratchDirectory;
import dev.tilewright.worker.link.process.UserProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code run}: runs a program whose GEMMs a pack computes. */
@Command(
        name = "run",
        description = "Run a program that uses PyTorch, with the kernels of a pack in place of PyTorch's.",
        footer = {
            "",
            "The pack is enabled when the program first uses a GPU. The program keeps its output, input and exit code; a"
                    + " line on standard error says what the pack computed. tilewright apply writes packs."
        })
public final class RunCommand implements Callable<Integer> {

    /** The variable with the folder of the pack; empty for none. */
    static final String PACK = "TILEWRIGHT_PACK";

    private static final List<String> FILES = List.of("pack.json", "__init__.py");

    @Option(
            names = "--pack",
            paramLabel = "DIR",
            description = "Folder that tilewright apply wrote (default: ${DEFAULT-VALUE}).")
    private Path pack = Path.of("pack");

    @Parameters(
            arity = "0..*",
            paramLabel = "PROGRAM",
            description = "The program with its arguments, such as -- python train.py --steps 100, or torchrun.")
    private List<String> program = new ArrayList<>();

    private final Map<String, String> environment;

    /** @param environment of this process, which the program gets too */
    public RunCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (program.isEmpty()) {
            throw CommandFailedException.usage(
                    "the program is missing; name it behind --, such as: tilewright run --pack"
                            + " pack -- python program.py");
        }
        requirePack("--pack", pack);
        try (ScratchDirectory scratch = ScratchDirectory.create("run")) {
            return new UserProgram(
                            program,
                            Map.of(
                                    PythonModule.PATH,
                                    PythonModule.path(environment, PythonModule.writeStarter(scratch.path())),
                                    PACK,
                                    variable(pack)))
                    .run(() -> {});
        }
    }

    /** The value of {@link #PACK}. */
    static String variable(Path pack) {
        return pack.toAbsolutePath().normalize().toString();
    }

    /**
     * Requires a pack.
     *
     * @param named by what
     * @throws CommandFailedException if the folder is none
     */
    public static void requirePack(String named, Path folder) {
        FILES.stream()
                .filter(file -> !Files.isRegularFile(folder.resolve(file)))
                .findFirst()
                .ifPresent(file -> {
                    throw CommandFailedException.usage(named + ": " + folder + ": is no pack: it has no " + file
                            + "; tilewright apply writes one");
                });
    }

    /** Whether a folder is one. */
    public static boolean isPack(Path folder) {
        return FILES.stream().allMatch(file -> Files.isRegularFile(folder.resolve(file)));
    }
}
