package dev.tilewright.emulator.order;

import dev.tilewright.ptx.type.Scope;

/**
 * The order that a release pattern passes on: everything before the pattern's first instruction in its thread.
 *
 * @param scope of the pattern's first instruction
 */
record Release(HappenedBefore knowledge, Scope scope) {}
