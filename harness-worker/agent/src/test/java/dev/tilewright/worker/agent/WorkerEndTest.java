package dev.tilewright.worker.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In a process of its own, which it ends. */
@Timeout(60)
class WorkerEndTest {

    /** A process whose main thread waits for ever, while another one dies. */
    public static final class Loses {
        private Loses() {}

        public static void main(String[] arguments) throws InterruptedException {
            WorkerEnd.onUncaught();
            Thread.ofPlatform().name("some pool").start(() -> {
                throw new NoClassDefFoundError("dev/tilewright/Replaced");
            });
            new CountDownLatch(1).await();
        }
    }

    @Test
    void anErrorThatNobodyCatchesEndsTheProcessWithALine() throws Exception {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Loses.class.getName()))
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(4);
        assertThat(printed)
                .startsWith("tilewright worker: thread 'some pool' has died, so the worker ends:"
                        + " java.lang.NoClassDefFoundError: dev/tilewright/Replaced\n");
    }
}
