package dev.tilewright.worker.cli;

import dev.tilewright.worker.process.ParentWatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * For children that may be stuck in a native call when their parent dies, and then do not see the end of their input.
 */
final class ParentOption {

    private static final int ORPHANED = 4;

    @Option(names = "--parent", paramLabel = "PID", description = "Stop when this process is gone.")
    private @Nullable Long parent;

    /** Ends this process with its parent, without waiting for anything. */
    void haltWithIt() {
        if (parent != null) {
            ParentWatch.onExit(parent, () -> Runtime.getRuntime().halt(ORPHANED));
        }
    }
}
