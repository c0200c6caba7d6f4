package dev.tilewright.worker.link.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A process and everything it started. */
public record ProcessTree(ProcessHandle root) {

    /** How long a killed process may take to be gone: a GPU context is torn down inside the kernel's exit path. */
    private static final Duration GONE = Duration.ofSeconds(20);

    /** Kills the whole tree, and waits until the root is gone or a limit has passed. */
    public void kill() {
        strike();
        awaitExit(GONE);
    }

    /** Kills the whole tree and does not wait. */
    public void strike() {
        List<ProcessHandle> tree =
                Stream.concat(root.descendants(), Stream.of(root)).toList();
        tree.forEach(ProcessHandle::destroyForcibly);
        // What was started between the listing and the kill is now without its parent, but still a descendant of the
        // others.
        tree.stream().flatMap(ProcessHandle::descendants).forEach(ProcessHandle::destroyForcibly);
    }

    /** Kills everything that the root started, but not itself, and does not wait. */
    public void strikeBelow() {
        root.descendants().forEach(ProcessHandle::destroyForcibly);
    }

    /** Whether a signal has stopped the root. It then does nothing, and its current work is not at fault. */
    public boolean isStopped() {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(root.pid()), "stat"));
            // The name before it may have any character.
            return stat.startsWith("T", stat.lastIndexOf(')') + 2);
        } catch (IOException gone) {
            return false;
        }
    }

    /** Whether the root has gone within the limit. */
    public boolean awaitExit(Duration limit) {
        try {
            root.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("waiting for process " + root.pid() + " failed", impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return !root.isAlive();
        }
    }
}
