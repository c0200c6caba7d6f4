package dev.tilewright.worker.agent.compile;

import java.time.Duration;

/**
 * Stands where no assembler is: for a machine that only proves texts.
 *
 * @param reason why there is none
 */
public record NoAssembler(String reason) implements Assembler {

    @Override
    public AssemblerId id() {
        return new AssemblerId("no assembler", "0", "");
    }

    @Override
    public AssemblyResult assemble(String ptx, String target, Duration limit) {
        return new AssemblyResult.Unsupported(reason);
    }

    @Override
    public void close() {}
}
