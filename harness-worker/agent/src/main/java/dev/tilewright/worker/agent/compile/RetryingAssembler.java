package dev.tilewright.worker.agent.compile;

import java.time.Duration;

/** Gives a text another try where somebody killed the process that had it: the text has not had its chance. */
abstract class RetryingAssembler implements Assembler {

    private final AssemblerId id;

    RetryingAssembler(AssemblerId id) {
        this.id = id;
    }

    @Override
    public final AssemblerId id() {
        return id;
    }

    @Override
    public final AssemblyResult assemble(String ptx, String target, Duration limit) {
        AssemblyResult first = attempt(ptx, target, limit);
        return first instanceof AssemblyResult.Broken ? attempt(ptx, target, limit) : first;
    }

    /** Assembles a text once, as {@link #assemble} says. */
    abstract AssemblyResult attempt(String ptx, String target, Duration limit);
}
