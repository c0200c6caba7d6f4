package dev.tilewright.worker.link.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchDirectoryTest {

    @TempDir
    private Path parent;

    @Test
    void goesAwayWithItsContents() throws IOException {
        Path path;
        try (ScratchDirectory scratch = ScratchDirectory.create(parent, "runner")) {
            path = scratch.path();
            Files.writeString(Files.createDirectories(path.resolve("natives")).resolve("library"), "x");
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void whatADeadProcessLeftIsClearedAndNothingElse() throws IOException {
        Path abandoned = Files.createDirectories(parent.resolve("tilewright-runner-cuda-0-0-123"));
        Files.writeString(abandoned.resolve("library"), "x");
        Files.writeString(abandoned.resolve(".owned"), "");
        Path foreign = Files.createDirectories(parent.resolve("tilewright-by-hand"));
        Path other = Files.createDirectories(parent.resolve("other"));
        try (ScratchDirectory live = ScratchDirectory.create(parent, "ptxas")) {
            ScratchDirectory.clearAbandoned(parent);

            assertThat(abandoned).doesNotExist();
            assertThat(live.path()).exists();
            assertThat(foreign).exists();
            assertThat(other).exists();
        }
    }
}
