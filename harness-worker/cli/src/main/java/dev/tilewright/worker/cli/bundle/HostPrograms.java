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
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the host program of a bundle, if the user has named it.
 *
 * @param folder of the bundle
 * @param allowed path of the program that may run
 * @param limit on the time of one run
 */
record HostPrograms(Path folder, Optional<String> allowed, Duration limit) implements HelperProgram.Runner {
    static final Duration USUAL_LIMIT = Duration.ofSeconds(20);

    private static final int MOST_PRINTED = 1 << 20;

    @Override
    public String run(HelperProgram program) {
        String path = program.path();
        if (!allowed.equals(Optional.of(path))) {
            throw new BundleException("the launch comes from the program " + path + " of the bundle; --helper " + path
                    + " runs it on this machine");
        }
        Path file = folder.resolve(path).toAbsolutePath().normalize();
        if (!file.startsWith(folder.toAbsolutePath().normalize()) || !Files.isExecutable(file)) {
            throw new BundleException(
                    path + ": must be a program in the folder " + folder + "; compile it there and make it executable");
        }
        String call = path + " " + String.join(" ", program.arguments());
        List<String> command = new ArrayList<>(List.of(file.toString()));
        command.addAll(program.arguments());
        try {
            Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
            process.getOutputStream().close();
            try {
                return printed(process, call);
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (TimeoutException late) {
            throw new BundleException(call + ": did not end within " + limit.toMillis() + " ms");
        } catch (IOException | ExecutionException unusable) {
            throw new BundleException(call + ": cannot be run: " + unusable.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new BundleException(call + ": was interrupted");
        }
    }

    private String printed(Process process, String call)
            throws InterruptedException, ExecutionException, TimeoutException {
        long end = System.nanoTime() + limit.toNanos();
        FutureTask<String> out = reading(process.getInputStream());
        FutureTask<String> err = reading(process.getErrorStream());
        String text = out.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (text.length() > MOST_PRINTED) {
            throw new BundleException(call + ": may print at most " + MOST_PRINTED + " bytes");
        }
        String complaint = err.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (!process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw new TimeoutException();
        }
        if (process.exitValue() != 0) {
            String said = complaint.strip().lines().findFirst().orElse("nothing on stderr");
            throw new BundleException(call + ": ended with " + process.exitValue() + ": " + said);
        }
        return text;
    }

    private static FutureTask<String> reading(InputStream stream) {
        FutureTask<String> task =
                new FutureTask<>(() -> new String(stream.readNBytes(MOST_PRINTED + 1), StandardCharsets.UTF_8));
        Thread.ofVirtual().start(task);
        return task;
    }
}
