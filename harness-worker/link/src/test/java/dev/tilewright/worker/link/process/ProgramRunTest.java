package dev.tilewright.worker.link.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramRunTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    /** A program whose last word is a run of another one. */
    static final class LastWord {

        private LastWord() {}

        public static void main(String[] arguments) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    new ProgramRun(List.of("touch", "swept"), Path.of(arguments[0]), LIMIT, 1 << 10).run();
                } catch (IOException | InterruptedException | TimeoutException failed) {
                    throw new IllegalStateException(failed);
                }
            }));
        }
    }

    private ProgramRun.Ended sh(String script, Duration limit) throws Exception {
        return new ProgramRun(List.of("sh", "-c", script), folder, limit, 16).run();
    }

    @Test
    void endsHoweverManyOthersAreReadForLong() throws Exception {
        List<Process> others = new ArrayList<>();
        try {
            for (int at = 0; at < 300; at++) {
                Process other = new ProcessBuilder("sleep", "300").start();
                others.add(other);
                LineTail.of("other", other.getInputStream(), line -> {});
            }
            assertThat(sh("echo here", LIMIT).out()).isEqualTo("here\n");
        } finally {
            others.forEach(Process::destroyForcibly);
        }
    }

    @Test
    void saysHowAProgramEndedAndWhatItPrinted() throws Exception {
        assertThat(sh("echo out; echo err >&2; exit 7", LIMIT)).isEqualTo(new ProgramRun.Ended(7, "out\n", "err\n"));
        assertThatThrownBy(() -> sh("echo seventeen letters", LIMIT)).hasMessage("may print at most 16 bytes");
        assertThatThrownBy(() -> sh("sleep 600", Duration.ofMillis(200))).isInstanceOf(TimeoutException.class);
    }

    /** The reading may begin before or after the program has ended: both give the same. */
    @Test
    void doesNotWaitForAChildThatHoldsTheOutput() throws Exception {
        for (String before : List.of("", "sleep 0.2; ")) {
            assertThat(sh(before + "sleep 60 & echo here", LIMIT)).isEqualTo(new ProgramRun.Ended(0, "here\n", ""));
        }
    }

    /** Again and again: the reader of the other output must not be the first to fail. */
    @RepeatedTest(5)
    void stopsAProgramThatPrintsTooMuchOnEitherOutput() {
        assertThatThrownBy(() -> sh("yes", LIMIT)).hasMessage("may print at most 16 bytes");
        assertThatThrownBy(() -> sh("yes >&2", LIMIT)).hasMessage("may print at most 16 bytes");
    }

    @Test
    void runsWhileThisProcessIsEnding() throws Exception {
        Process ending = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LastWord.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(ending.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(ending.waitFor()).isZero();
        assertThat(Files.exists(folder.resolve("swept"))).isTrue();
    }
}
