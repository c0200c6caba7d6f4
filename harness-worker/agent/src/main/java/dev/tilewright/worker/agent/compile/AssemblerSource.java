package dev.tilewright.worker.agent.compile;

import java.io.IOException;

/** Makes assemblers of one kind: the pool needs one for each of its threads. */
@FunctionalInterface
public interface AssemblerSource {

    /**
     * Starts one.
     *
     * @throws IOException if it cannot be used on this machine, with the reason
     */
    Assembler start() throws IOException;
}
