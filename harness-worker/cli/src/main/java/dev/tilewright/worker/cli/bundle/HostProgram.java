package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.HelperProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a host program of a bundle, with a deadline and a limit on what it prints. */
final class HostProgram {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int MOST_PRINTED = 1 << 20;

    private HostProgram() {}

    /**
     * What it prints.
     *
     * @param folder of the bundle
     * @throws BundleException if it cannot be run, fails, hangs or prints too much
     */
    static String run(Path folder, HelperProgram program) {
        Path file = folder.resolve(program.path()).toAbsolutePath();
        if (!Files.isExecutable(file)) {
            throw new BundleException(program.path() + ": must be a program in the folder " + folder
                    + "; compile it there and make it executable");
        }
        List<String> command = new ArrayList<>(List.of(file.toString()));
        command.addAll(program.arguments());
        String shown = program.path() + " " + String.join(" ", program.arguments());
        Process process = start(folder, command, shown);
        try {
            FutureTask<String> printed = reading(process.getInputStream());
            FutureTask<String> complained = reading(process.getErrorStream());
            String text = printed.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            String errors = complained.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new TimeoutException();
            }
            if (process.exitValue() != 0) {
                throw new BundleException(shown + ": ended with " + process.exitValue()
                        + (errors.isBlank()
                                ? ", without a word on stderr"
                                : ": " + errors.strip().lines().findFirst().orElse("")));
            }
            if (text.length() > MOST_PRINTED) {
                throw new BundleException(shown + ": may print at most " + MOST_PRINTED + " bytes");
            }
            return text;
        } catch (TimeoutException late) {
            throw new BundleException(shown + ": did not end within " + LIMIT.toSeconds() + " s");
        } catch (ExecutionException unreadable) {
            throw new BundleException(shown + ": " + unreadable.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new BundleException(shown + ": was interrupted");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static Process start(Path folder, List<String> command, String shown) {
        try {
            Process process =
                    new ProcessBuilder(command).directory(folder.toFile()).start();
            process.getOutputStream().close();
            return process;
        } catch (IOException unstartable) {
            throw new BundleException(shown + ": cannot be started: " + unstartable.getMessage());
        }
    }

    private static FutureTask<String> reading(InputStream stream) {
        FutureTask<String> task = new FutureTask<>(() -> {
            String text = new String(stream.readNBytes(MOST_PRINTED + 1), StandardCharsets.UTF_8);
            return text;
        });
        Thread.ofVirtual().start(task);
        return task;
    }
}
