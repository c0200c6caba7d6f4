package dev.tilewright.model.trial;

/**
 * The report of the assembler about a kernel.
 *
 * @param registers registers a thread at entry
 * @param spillBytes bytes of spill stores and loads together
 * @param sharedBytes static and dynamic shared memory of a CTA
 * @param ptxHash SHA-256 of the PTX text
 * @param cubinHash SHA-256 of the cubin
 */
public record Compilation(int registers, int spillBytes, int sharedBytes, String ptxHash, String cubinHash) {}
