package dev.tilewright.worker.link.process;

/** Ends a process with all that it started, where this process is ended first. */
final class LastWord {

    private final Thread thread;

    LastWord(Process process, String name) {
        thread = new Thread(new ProcessTree(process.toHandle())::strike, "end " + name);
        try {
            Runtime.getRuntime().addShutdownHook(thread);
        } catch (IllegalStateException ending) {
            // The process is a last word itself.
        }
    }

    /** The process has ended. Returns whether this process is ending too, and may be the reason. */
    boolean forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
            return false;
        } catch (IllegalStateException ending) {
            // It is at work.
            return true;
        }
    }
}
