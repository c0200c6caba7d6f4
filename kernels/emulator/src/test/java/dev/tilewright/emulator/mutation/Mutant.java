package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.PtxModule;

/**
 * A kernel with one change.
 *
 * @param description statement and change, unique in its kernel
 */
public record Mutant(Rule rule, String description, PtxModule module) {}
