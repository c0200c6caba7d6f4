package dev.tilewright.worker.agent.compile;

import java.time.Duration;

/** Turns PTX text into a cubin, in a process of its own. Used by one thread at a time. */
public interface Assembler extends AutoCloseable {

    /** Identity of this assembler: name and version. */
    AssemblerId id();

    /**
     * Assembles one text.
     *
     * @param target such as {@code sm_90a}
     * @param limit after which the process is killed with all it has started
     */
    AssemblyResult assemble(String ptx, String target, Duration limit);

    @Override
    void close();
}
