package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.PtxModule;

/**
 * A kernel with one change.
 *
 * @param kind what was changed: fence, wait, arrive, commit, expect, parity, stage, offset, predicate, order
 * @param description statement and change, unique in its kernel
 */
public record Mutant(String kind, String description, PtxModule module) {}
