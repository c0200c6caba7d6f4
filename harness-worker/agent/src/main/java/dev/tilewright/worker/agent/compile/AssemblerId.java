package dev.tilewright.worker.agent.compile;

/**
 * The identity of the assembler that made a cubin; part of the testbed and of the key of the cubin cache.
 *
 * @param name {@code ptxas}, {@code driver-jit} or {@code nvptxcompiler}
 * @param version as it says itself, such as {@code 13.0.88}
 * @param flags those that change the cubin, separated by one blank
 */
public record AssemblerId(String name, String version, String flags) {

    /** Name and version, as users see it. */
    @Override
    public String toString() {
        return name + " " + version;
    }
}
