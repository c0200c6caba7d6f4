package dev.tilewright.worker.link.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class GpuTurnTest {

    private static final String GPU = "GPU-0f9df0b2-692b-95be-735a-be2091b4459b";
    private static final String OTHER = "GPU-e62a3e1f-edc1-e106-c10e-b89892e58a1f";

    @TempDir
    private Path temporary;

    private final CountDownLatch told = new CountDownLatch(1);

    private GpuTurn take(String uuid) {
        try {
            return GpuTurn.take(temporary, uuid, told::countDown);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    @Test
    void oneAtATimeHasAGpu() throws Exception {
        GpuTurn first = take(GPU);
        take(OTHER).close();
        assertThat(first.isWanted()).isFalse();
        CompletableFuture<GpuTurn> second = CompletableFuture.supplyAsync(() -> take(GPU));
        told.await();
        assertThat(second).isNotDone();
        assertThat(first.isWanted()).isTrue();
        first.close();
        second.get().close();
        take(GPU).close();
    }

    @Test
    void aProcessThatIsKilledGivesItsTurnBack() throws Exception {
        take(GPU).close();
        Process holder = new ProcessBuilder(
                        Python.program(),
                        "-c",
                        """
                import fcntl, sys, time
                file = open(sys.argv[1], "w")
                fcntl.lockf(file, fcntl.LOCK_EX)
                print("held", flush=True)
                time.sleep(60)
                """,
                        temporary.resolve("tilewright-gpus/" + GPU + ".turn").toString())
                .start();
        assertThat(holder.inputReader().readLine()).isEqualTo("held");
        CompletableFuture<GpuTurn> mine = CompletableFuture.supplyAsync(() -> take(GPU));
        told.await();
        assertThat(mine).isNotDone();
        holder.destroyForcibly();
        mine.get().close();
    }

    /** As a worker with a trial every few milliseconds. */
    @Test
    void whoAsksAgainAtOnceLetsOthersInBetween() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch busy = new CountDownLatch(3);
        CompletableFuture<Void> worker = CompletableFuture.runAsync(() -> {
            while (!stop.get()) {
                take(GPU).close();
                busy.countDown();
            }
        });
        busy.await();
        for (int i = 0; i < 3; i++) {
            take(GPU).close();
        }
        stop.set(true);
        worker.get();
    }

    @Test
    void ofWhatIsNoGpuThereAreNoTurns() throws IOException {
        assertThat(take("none").unlocked()).isEmpty();
        assertThat(take("GPU-../../elsewhere").unlocked()).isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void otherUsersMayTakeTurnsToo() throws IOException {
        take(GPU).close();
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(temporary.resolve("tilewright-gpus/" + GPU + ".turn"))))
                .isEqualTo("rw-rw-rw-");
        assertThat((int) Files.getAttribute(temporary.resolve("tilewright-gpus"), "unix:mode") & 07777)
                .isEqualTo(01777);
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Path victim = Files.writeString(temporary.resolve("victim"), "precious");
        Files.createDirectory(temporary.resolve("tilewright-gpus"));
        Files.createSymbolicLink(temporary.resolve("tilewright-gpus/" + GPU + ".next"), victim);
        assertThat(take(GPU).unlocked())
                .get()
                .asString()
                .startsWith("others may measure beside this process on " + GPU);
        assertThat(victim).hasContent("precious");
    }
}
