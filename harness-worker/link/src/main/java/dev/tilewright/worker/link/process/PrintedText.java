package dev.tilewright.worker.link.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** The text that a program prints on one of its outputs. A thread of its own reads it from the start. */
final class PrintedText {

    /** A child of the program may hold the output open. The thread needs a moment for what the program itself wrote. */
    private static final Duration REST = Duration.ofSeconds(2);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Thread thread;
    private volatile Optional<String> fault = Optional.empty();

    private PrintedText(Process program, InputStream stream, int most) {
        // Who reads a pipe keeps the carrier of a virtual thread, and few of them hold up all others.
        thread = Thread.ofPlatform()
                .daemon()
                .name("reads " + program.pid())
                .unstarted(() -> read(program, stream, most));
    }

    /**
     * Starts to read.
     *
     * @param program is killed where it prints more than {@code most} bytes
     */
    static PrintedText of(Process program, InputStream stream, int most) {
        PrintedText text = new PrintedText(program, stream, most);
        text.thread.start();
        return text;
    }

    private void read(Process program, InputStream stream, int most) {
        byte[] buffer = new byte[1 << 13];
        try {
            for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                bytes.write(buffer, 0, count);
                if (bytes.size() > most) {
                    fault = Optional.of("may print at most " + most + " bytes");
                    // By its handle: the program itself would close its other output, too, under who reads that.
                    program.toHandle().destroyForcibly();
                    return;
                }
            }
        } catch (IOException unreadable) {
            fault = Optional.of(String.valueOf(unreadable.getMessage()));
        }
    }

    /**
     * The text, once the program has ended. What a child of it prints later is not read.
     *
     * @throws IOException if it could not be read, or was too long
     */
    String whole() throws IOException, InterruptedException {
        thread.join(REST);
        if (fault.isPresent()) {
            throw new IOException(fault.get());
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
