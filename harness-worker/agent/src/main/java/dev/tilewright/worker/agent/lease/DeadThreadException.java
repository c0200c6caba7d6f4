package dev.tilewright.worker.agent.lease;

import java.util.Optional;

/**
 * A thread of the worker has ended by a fault of its own. The other threads may look well and do nothing, so the worker
 * ends.
 */
public final class DeadThreadException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param thread name of the thread */
    public DeadThreadException(String thread, Throwable fault) {
        super("thread '" + thread + "' has died, so the worker ends: " + fault, fault);
    }

    /**
     * The error behind a failure of some kernel that leaves the process unfit: a class that cannot be loaded, because a
     * jar was replaced, or memory that is short. Too deep a text of a kernel is the fault of the text.
     */
    static Optional<Error> unfit(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof LinkageError || cause instanceof VirtualMachineError) {
                return cause instanceof StackOverflowError ? Optional.empty() : Optional.of((Error) cause);
            }
        }
        return Optional.empty();
    }
}
