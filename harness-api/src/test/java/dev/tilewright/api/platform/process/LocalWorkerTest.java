package dev.tilewright.api.platform.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.api.platform.process.LocalWorker.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalWorkerTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private LocalWorker worker(@Nullable Path launcher) throws IOException {
        ServiceHome home = new ServiceHome(folder);
        home.create();
        return new LocalWorker(home, "simulated:h200", "json", launcher);
    }

    private String offers(String device) throws Exception {
        Path told = folder.resolve("told");
        ServiceHome home = new ServiceHome(folder);
        home.create();
        LocalWorker worker = new LocalWorker(
                home,
                device,
                "text",
                script("echo \"$@\" > " + told + ".new\nmv " + told + ".new " + told + "\nexec sleep 60"));
        worker.start();
        await(() -> !lines(told).isEmpty());
        worker.stop();
        return lines(told).getFirst().replaceFirst(".* --device ([^ ]*) .*", "$1");
    }

    @Test
    void anEmulatedGpuStandsBesideEveryOther() throws Exception {
        assertThat(offers("cuda:all")).isEqualTo("cuda:all,emulated");
        Files.delete(folder.resolve("told"));
        // Checks ask for the one of 4 SMs.
        assertThat(offers("emulated:8")).isEqualTo("emulated:8,emulated");
        Files.delete(folder.resolve("told"));
        assertThat(offers("emulated")).isEqualTo("emulated");
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

    private static long pid(LocalWorker worker) {
        Matcher matcher =
                Pattern.compile("process (\\d+).*").matcher(worker.status().detail());
        assertThat(matcher.matches()).as(worker.status().detail()).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void theChildIsToldWhereToWorkAndIsStartedAgainWhenItDies() throws Exception {
        Path starts = folder.resolve("starts");
        // Dies at once the first time, stays the second time.
        LocalWorker worker = worker(
                script("echo \"$@\" >> " + starts + "\n[ $(wc -l < " + starts + ") -ge 2 ] && exec sleep 60\nexit 1"));
        worker.start();
        await(() -> lines(starts).size() == 2 && worker.status().state() == State.STARTING);
        assertThat(lines(starts).getFirst())
                .isEqualTo("worker --service-file " + folder.resolve("service.json") + " --token @"
                        + folder.resolve("worker.token")
                        + " --device simulated:h200,emulated --log-format json --parent "
                        + ProcessHandle.current().pid());
        long pid = pid(worker);
        worker.registered(pid + 1);
        assertThat(worker.status().state()).isEqualTo(State.STARTING);
        worker.registered(pid);
        assertThat(worker.status())
                .isEqualTo(new LocalWorker.Status(
                        State.RUNNING, "process " + pid + "; before, the local worker ended with exit code 1", 1));
        worker.stop();
        await(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
        assertThat(lines(starts)).hasSize(2);
    }

    @Test
    void aChildWhoseDeviceFailsIsStartedAgainAfterPausesThatGrow() throws Exception {
        Path starts = folder.resolve("starts");
        LocalWorker worker = worker(
                script(
                        "echo >> " + starts + "\n[ $(wc -l < " + starts + ") -ge 3 ] && exec sleep 60\n"
                                + "echo 'tilewright worker: simulated:h200: the runner ended with exit code 137'\necho more\nexit 4"));
        String death = "the local worker ended with exit code 4: simulated:h200: the runner ended with exit code 137";
        worker.start();
        await(() -> worker.status().state() == State.RESTARTING);
        assertThat(worker.status())
                .isEqualTo(new LocalWorker.Status(State.RESTARTING, death + "; it is started again in 0.5 s", 1));
        assertThat(new LocalWorkerHealthIndicator(worker).health().getStatus())
                .isEqualTo(org.springframework.boot.health.contributor.Status.OUT_OF_SERVICE);
        await(() -> worker.status().detail().equals(death + "; it is started again in 1.0 s"));
        await(() -> lines(starts).size() == 3 && worker.status().state() == State.STARTING);
        assertThat(worker.status().restarts()).isEqualTo(2);
        assertThat(new LocalWorkerHealthIndicator(worker).health().getStatus())
                .as("a successor that has not registered")
                .isEqualTo(org.springframework.boot.health.contributor.Status.OUT_OF_SERVICE);
        assertThat(worker.status().detail()).endsWith(" is coming up; before, " + death);
        worker.registered(pid(worker));
        assertThat(worker.status().state()).isEqualTo(State.RUNNING);
        worker.stop();
    }

    @Test
    void aChildThatIsKilledIsNotGivenTheLastLineOfItsLogAsAReason() throws Exception {
        Path starts = folder.resolve("starts");
        LocalWorker worker = worker(script("echo >> " + starts + "\n[ $(wc -l < " + starts
                + ") -ge 2 ] && exec sleep 60\necho 'all is well'\nkill -9 $$"));
        worker.start();
        await(() -> worker.status().state() == State.RESTARTING);
        assertThat(worker.status().detail())
                .isEqualTo(
                        "the local worker ended with exit code 137 (killed by signal 9); it is started again in 0.5 s");
        worker.stop();
    }

    @Test
    void aChildThatCannotBeStartedIsTriedAgain() throws Exception {
        LocalWorker worker = worker(folder.resolve("launcher"));
        worker.start();
        await(() -> worker.status().state() == State.RESTARTING);
        assertThat(worker.status().detail()).startsWith("the local worker cannot be started: ");
        Path script = folder.resolve("launcher.new");
        Files.move(script("exec sleep 60"), script);
        Files.move(script, folder.resolve("launcher"));
        await(() -> worker.status().state() == State.STARTING);
        worker.stop();
    }

    @Test
    void aChildThatIsCalledWronglyIsGivenUp() throws Exception {
        LocalWorker worker = worker(script("echo 'no such option'\nexit 2"));
        worker.start();
        await(() -> worker.status().state() == State.FAILED);
        assertThat(worker.status().detail())
                .isEqualTo("the local worker ended with exit code 2: no such option; it is not started again: it would"
                        + " end the same way");
        assertThat(lines(folder.resolve("logs/worker.log"))).containsExactly("no such option");
        assertThat(new LocalWorkerHealthIndicator(worker).health().getStatus())
                .isEqualTo(org.springframework.boot.health.contributor.Status.DOWN);
    }

    @Test
    void withoutALauncherThereIsNoChildAndTheReasonIsKept() throws IOException {
        LocalWorker worker = worker(null);
        worker.start();
        assertThat(worker.status().state()).isEqualTo(State.FAILED);
        assertThat(worker.status().detail()).contains("tilewright.launcher");
    }
}
