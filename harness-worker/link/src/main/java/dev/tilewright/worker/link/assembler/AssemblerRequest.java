package dev.tilewright.worker.link.assembler;

/**
 * Assemble this text.
 *
 * @param target such as {@code sm_90a}
 */
public record AssemblerRequest(String ptx, String target) {}
