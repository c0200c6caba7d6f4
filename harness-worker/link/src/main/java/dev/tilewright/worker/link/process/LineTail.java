package dev.tilewright.worker.link.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Drains a stream of text on a thread of its own, hands each line on, and remembers the last ones. */
public final class LineTail {

    private static final int REMEMBERED = 20;

    private final Deque<String> lines = new ArrayDeque<>();
    private final Thread thread;

    private LineTail(String name, InputStream in, Consumer<String> onLine) {
        thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> drain(in, onLine));
    }

    /** Starts draining. */
    public static LineTail of(String name, InputStream in, Consumer<String> onLine) {
        LineTail tail = new LineTail(name, in, onLine);
        tail.thread.start();
        return tail;
    }

    private void drain(InputStream in, Consumer<String> onLine) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                remember(line);
                onLine.accept(line);
            }
        } catch (IOException closed) {
            remember("(standard error broke off: " + closed.getMessage() + ")");
        }
    }

    private synchronized void remember(String line) {
        if (lines.size() == REMEMBERED) {
            lines.removeFirst();
        }
        lines.addLast(line);
    }

    /** The last lines, once the stream has ended or a moment has passed. */
    public String text() {
        try {
            thread.join(java.time.Duration.ofSeconds(2));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            return String.join("\n", lines);
        }
    }
}
