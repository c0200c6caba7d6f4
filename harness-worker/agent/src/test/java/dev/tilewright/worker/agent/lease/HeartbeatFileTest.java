package dev.tilewright.worker.agent.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.link.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The health check of the worker's image, run by a shell on the file that a worker touches. */
class HeartbeatFileTest {

    private static final Pattern CHECK =
            Pattern.compile("^FROM base AS worker$.*^HEALTHCHECK .* CMD ([^\n]+)$", Pattern.MULTILINE | Pattern.DOTALL);

    @TempDir
    private Path home;

    private boolean healthy() throws IOException, InterruptedException {
        Matcher check = CHECK.matcher(Files.readString(Path.of("../../packaging/Dockerfile")));
        assertThat(check.find()).isTrue();
        return new ProcessBuilder("sh", "-c", check.group(1).replace("/data/", home + "/"))
                        .start()
                        .waitFor()
                == 0;
    }

    private HeartbeatFile answered(Duration ago) {
        return new HeartbeatFile(
                Home.of(Map.of("TILEWRIGHT_HOME", home.toString())).heartbeat(),
                Clock.offset(Clock.systemUTC(), ago.negated()));
    }

    @Test
    void aWorkerIsHealthyWhoseHeartbeatWasAnsweredWithinTwoMinutes() throws IOException, InterruptedException {
        assertThat(healthy()).as("before the first heartbeat").isFalse();
        answered(Duration.ZERO).touch();
        assertThat(healthy()).as("after it").isTrue();
        answered(Duration.ofSeconds(50)).touch();
        assertThat(healthy()).as("50 s later").isTrue();
        answered(Duration.ofSeconds(130)).touch();
        assertThat(healthy()).as("130 s later").isFalse();
    }

    @Test
    void aFileThatCannotBeWrittenIsNotTheEndOfAWorker() throws IOException {
        Path file = Files.createFile(home.resolve("file"));
        new HeartbeatFile(file.resolve("heartbeat"), Clock.systemUTC()).touch();
        assertThat(file).isEmptyFile();
    }
}
