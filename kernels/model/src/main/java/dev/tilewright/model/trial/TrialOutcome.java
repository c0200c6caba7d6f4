package dev.tilewright.model.trial;

import java.util.Locale;

/** The outcome of a trial: one list for workers, the API, pages and users. Written in lower case. */
public enum TrialOutcome {
    /** Ran, was verified, has a measurement. */
    COMPLETED,
    /**
     * Breaks a constraint, or the rule {@code check.shallow} of the check: too little can be exercised for a proof. The
     * log has the id and the values.
     */
    PRUNED,
    /** No assembler for the target was there, or the emulator that had to prove it does not know an instruction. */
    UNASSEMBLED,
    /** The kernel could not be built, or its module is not valid. */
    BUILD,
    /** The assembler refused the text, or gave one of the alarms C75xx. */
    COMPILE,
    /** The assembler spilled registers. */
    SPILL,
    /** The driver refused to load or launch it. */
    LAUNCH,
    /** It did not end in time and its process was killed. */
    TIMEOUT,
    /** It faulted, or its process died. */
    CRASH,
    /** The result is wrong, poison was left, or a red zone was written. */
    MISMATCH,
    /** The emulator found a race, a deadlock or another hazard. */
    HAZARD,
    /** It ran right, but no interval could be had. */
    NOISE,
    /**
     * It was said to be faster than the GPU can be: whatever was timed, it was not this kernel. Decided by the API, and
     * reported by nobody.
     */
    IMPLAUSIBLE,
    /** Not run, because this text hung or faulted before. */
    QUARANTINED,
    /** The job was cancelled first. */
    CANCELLED,
    /** The worker or its GPU failed: never blamed on the config. */
    INFRASTRUCTURE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
