package dev.tilewright.worker.link.process;

import java.util.Optional;

/** Tells when the process that started this one is gone. */
public final class ParentWatch {

    private ParentWatch() {}

    /**
     * Runs the action once the process has ended; at once if there is no such process. It has a thread of its own: that
     * of the event is one of few that all ends of processes are told by, and an action that exits waits for children.
     */
    public static void onExit(long pid, Runnable action) {
        Optional<ProcessHandle> parent = ProcessHandle.of(pid);
        if (parent.isPresent()) {
            parent.get()
                    .onExit()
                    .thenRun(() -> Thread.ofPlatform().name("parent gone").start(action));
        } else {
            action.run();
        }
    }
}
