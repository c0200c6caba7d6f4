package dev.tilewright.api.platform.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.ServiceSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;

class LocalWorkerTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final String URL = "http://127.0.0.1:4711";

    @TempDir
    Path folder;

    private LocalWorker worker(@Nullable Path launcher) throws IOException {
        ServiceSettings settings = new ServiceSettings(
                folder,
                "simulated:h200",
                true,
                null,
                launcher,
                null,
                null,
                null,
                Duration.ofSeconds(15),
                Duration.ofSeconds(30),
                false);
        settings.files().create();
        return new LocalWorker(settings, new ListenAddress(new ServerProperties()));
    }

    private Path script(String body) throws IOException {
        Path script = folder.resolve("launcher");
        Files.writeString(script, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script;
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("within " + DEADLINE).isLessThan(end);
            Thread.sleep(20);
        }
    }

    private List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    @Test
    void theChildIsToldWhereToWorkAndIsStartedAgainWhenItDies() throws Exception {
        Path starts = folder.resolve("starts");
        // Dies at once the first time, stays the second time.
        LocalWorker worker = worker(
                script("echo \"$@\" >> " + starts + "\n[ $(wc -l < " + starts + ") -ge 2 ] && exec sleep 600\nexit 1"));
        worker.start(URL);
        await(() -> lines(starts).size() == 2 && worker.status().state() == LocalWorker.State.RUNNING);
        assertThat(lines(starts).getFirst())
                .isEqualTo("worker --api " + URL + " --token-file " + folder.resolve("worker.token")
                        + " --device simulated:h200" + " --parent "
                        + ProcessHandle.current().pid());
        long pid = Long.parseLong(worker.status().detail().replace("process ", ""));
        worker.stop();
        await(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
        assertThat(lines(starts)).hasSize(2);
    }

    @Test
    void aChildThatCannotWorkIsGivenUp() throws Exception {
        LocalWorker worker = worker(script("echo 'no such device' \nexit 4"));
        worker.start(URL);
        await(() -> worker.status().state() == LocalWorker.State.FAILED);
        assertThat(worker.status().detail())
                .isEqualTo("the local worker ended with exit code 4; see " + folder.resolve("logs/worker.log"));
        assertThat(lines(folder.resolve("logs/worker.log"))).containsExactly("no such device");
    }

    @Test
    void withoutALauncherThereIsNoChildAndTheReasonIsKept() throws IOException {
        LocalWorker worker = worker(null);
        worker.start(URL);
        assertThat(worker.status().state()).isEqualTo(LocalWorker.State.FAILED);
        assertThat(worker.status().detail()).contains("tilewright.launcher");
    }
}
