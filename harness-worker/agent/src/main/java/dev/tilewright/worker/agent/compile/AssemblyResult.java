package dev.tilewright.worker.agent.compile;

import java.time.Duration;

/** The result of assembling a text. */
public sealed interface AssemblyResult {

    /** There is a cubin. */
    record Assembled(Assembly assembly) implements AssemblyResult {}

    /** The text is wrong, or it killed the assembler. */
    record Refused(String log) implements AssemblyResult {}

    /** The assembler took too long and was killed. */
    record Overdue(Duration limit) implements AssemblyResult {}

    /** This assembler does not know the target or the ISA version of the text. */
    record Unsupported(String reason) implements AssemblyResult {}

    /** The assembler could not be run at all: no fault of the text. */
    record Broken(String reason) implements AssemblyResult {}
}
