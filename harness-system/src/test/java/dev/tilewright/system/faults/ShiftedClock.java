package dev.tilewright.system.faults;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The wall clock of all processes of an installation, which leaps when a test says so. The monotonic clock goes on, as
 * it does when somebody sets the clock of a machine.
 */
final class ShiftedClock {

    private final Path library;
    private final Path offset;
    private Duration now = Duration.ZERO;

    private ShiftedClock(Path library, Path offset) {
        this.library = library;
        this.offset = offset;
    }

    /** Makes one in a folder; empty where there is no C compiler. */
    static Optional<ShiftedClock> in(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path source = folder.resolve("clock.c");
        try (InputStream text = Objects.requireNonNull(ShiftedClock.class.getResourceAsStream("clock.c"))) {
            Files.write(source, text.readAllBytes());
        }
        ShiftedClock clock = new ShiftedClock(folder.resolve("clock.so"), folder.resolve("offset"));
        clock.write();
        try {
            Process compiler = new ProcessBuilder(
                            "cc", "-shared", "-fPIC", "-O2", "-o", clock.library.toString(), source.toString(), "-ldl")
                    .inheritIO()
                    .start();
            boolean made = compiler.waitFor(1, TimeUnit.MINUTES) && compiler.exitValue() == 0;
            return made ? Optional.of(clock) : Optional.empty();
        } catch (IOException noCompiler) {
            return Optional.empty();
        }
    }

    /** What processes need in their environment to live by it. */
    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "TILEWRIGHT_TEST_CLOCK", offset.toString());
    }

    void leap(Duration by) throws IOException {
        now = now.plus(by);
        write();
    }

    private void write() throws IOException {
        ByteBuffer seconds = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        seconds.putLong(now.toSeconds()).flip();
        try (FileChannel file = FileChannel.open(offset, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(seconds, 0);
        }
    }
}
