package dev.tilewright.api.platform.process;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Ends this process where an error leaves its state unknown: memory has run out, or a class cannot be loaded, as when a
 * jar is replaced in place. The process halts without a shutdown, so the lock of its home is free and a supervisor
 * starts the next one.
 */
@Component
public class FatalErrors {

    private static final Logger LOG = LoggerFactory.getLogger(FatalErrors.class);

    /** EX_SOFTWARE of sysexits.h. */
    private static final int EXIT_CODE = 70;

    /**
     * Halts this process if a failure leaves its state unknown; returns otherwise.
     *
     * @param what failed, for the log
     */
    public final void haltAfter(Throwable failure, String what) {
        if (leavesStateUnknown(failure)) {
            try {
                LOG.error("{} met an error after which the state of the service is unknown: it halts", what, failure);
            } finally {
                halt(EXIT_CODE);
            }
        }
    }

    /** A stack that was too small is no such failure: whatever was on it is gone. */
    private static boolean leavesStateUnknown(Throwable failure) {
        return failure instanceof LinkageError
                || failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError);
    }

    /** Ends this process at once. */
    protected void halt(int code) {
        Runtime.getRuntime().halt(code);
    }
}
