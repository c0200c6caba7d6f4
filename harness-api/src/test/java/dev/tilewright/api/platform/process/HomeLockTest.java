package dev.tilewright.api.platform.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.ServiceHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeLockTest {

    @TempDir
    Path folder;

    @Test
    void aHomeIsForOneServiceAndTheSecondLearnsOfTheFirst() throws IOException {
        ServiceHome home = new ServiceHome(folder.resolve("home"));
        Optional<HomeLock> first = HomeLock.tryAcquire(home);
        assertThat(first).isPresent();
        assertThat(HomeLock.holder(home)).isEmpty();
        Files.writeString(home.serviceFile(), "{\"url\":\"http://127.0.0.1:1\",\"pid\":7}\n");
        assertThat(HomeLock.tryAcquire(home)).isEmpty();
        assertThat(HomeLock.holder(home)).contains("process 7 at http://127.0.0.1:1");
        first.get().close();
        // What a killed service said of itself goes with its lock.
        Optional<HomeLock> second = HomeLock.tryAcquire(home);
        assertThat(second).isPresent();
        assertThat(home.serviceFile()).doesNotExist();
        second.get().close();
    }
}
