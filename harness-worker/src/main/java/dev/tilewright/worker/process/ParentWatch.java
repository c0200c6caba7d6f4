package dev.tilewright.worker.process;

import java.util.Optional;

/** Tells when the process that started this one is gone. */
public final class ParentWatch {

    private ParentWatch() {}

    /** Runs the action once the process has ended; at once if there is no such process. */
    public static void onExit(long pid, Runnable action) {
        Optional<ProcessHandle> parent = ProcessHandle.of(pid);
        if (parent.isPresent()) {
            parent.get().onExit().thenRun(action);
        } else {
            action.run();
        }
    }
}
