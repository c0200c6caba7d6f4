package dev.tilewright.worker.cli.gate;

import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.cli.gate.file.KernelEntry;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.process.ProgramRun;
import dev.tilewright.worker.link.process.ScratchDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * The command of a user that makes a bundle. What it prints is shown if it fails.
 *
 * @param name of the kernel
 * @param folder in which it runs
 */
record BundleBuild(String name, KernelEntry.Built build, Path folder) {

    private static final int MOST_SHOWN = 40;
    /** The shell is the one that a CI system would run it with: it stops at the first command that fails. */
    private static final String SCRIPT = "exec >\"$1\" 2>&1 </dev/null; exec /bin/sh -e -c \"$2\"";

    /** Runs it to its end. */
    void run() throws InterruptedException {
        try (ScratchDirectory scratch = ScratchDirectory.create("build")) {
            Path log = scratch.path().resolve("log");
            List<String> command = List.of("/bin/sh", "-c", SCRIPT, "sh", log.toString(), build.command());
            try {
                int exit = new ProgramRun(command, folder, build.limit(), 1 << 16)
                        .run()
                        .exit();
                if (exit != 0) {
                    throw failed("ended with " + exit, log);
                }
            } catch (TimeoutException late) {
                throw failed("did not end within " + build.limit().toSeconds() + " s", log);
            }
        } catch (IOException unusable) {
            throw CommandFailedException.infrastructure(
                    shown() + " cannot be run: " + FileFault.reason(unusable), unusable);
        }
        if (!Files.exists(folder.resolve(build.bundle()))) {
            throw CommandFailedException.usage(shown() + " has made no " + build.bundle() + ", which 'bundle' names");
        }
    }

    private String shown() {
        return "kernels." + name + ".build: '" + build.command() + "' in " + folder;
    }

    private CommandFailedException failed(String how, Path log) throws IOException {
        List<String> lines = Files.exists(log)
                ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                        .lines()
                        .toList()
                : List.of();
        List<String> last = lines.subList(Math.max(0, lines.size() - MOST_SHOWN), lines.size());
        return new CommandFailedException(ExitCode.USAGE, shown() + " " + how, last, null);
    }
}
