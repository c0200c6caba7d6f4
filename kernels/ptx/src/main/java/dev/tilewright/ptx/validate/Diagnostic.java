package dev.tilewright.ptx.validate;

import java.util.OptionalInt;

/**
 * A broken rule.
 *
 * @param entry the kernel
 * @param statement index in its body, if the rule speaks of one statement
 */
public record Diagnostic(Rule rule, String entry, OptionalInt statement, String message) {
    /** A rule that the validator checks. */
    public enum Rule {
        /** A register or constant of a type that the instruction does not take. */
        TYPE,
        /** An address, parameter or variable of another state space than the instruction needs, or an unknown one. */
        STATE_SPACE,
        /** An instruction that the target, or the highest allowed ISA, does not have. */
        TARGET,
        /** A branch to nowhere. */
        LABEL_UNDEFINED,
        /** A label defined twice, or named as a parameter or variable. */
        LABEL_DUPLICATE,
        REGISTER_UNDECLARED,
        /** Read somewhere, written nowhere. */
        REGISTER_UNWRITTEN,
        /** More shared memory than a CTA can have. */
        SHARED_BYTES,
        /** Warps that two roles claim, or that the CTA does not have. */
        ROLE,
        /** setmaxnreg without bounds, not by whole warpgroups, or more registers than the SM has. */
        SET_MAX_REGISTERS,
        /** A wgmma that the registers at entry cannot hold, or not by whole warpgroups. */
        WGMMA,
        /** A barrier used but never initialised, or an address where no barrier is. */
        BARRIER_INIT,
        /** A barrier somebody waits on and nobody arrives at. */
        BARRIER_PRODUCER,
        /** Bytes that complete on a barrier where nobody expects any. */
        BARRIER_BYTES
    }

    @Override
    public String toString() {
        return entry + (statement.isPresent() ? "[" + statement.getAsInt() + "]" : "") + ": " + rule + ": " + message;
    }
}
