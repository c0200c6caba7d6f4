package dev.tilewright.emulator.order;

import dev.tilewright.ptx.type.Scope;

/**
 * What a release pattern hands over: all that its thread knew and did before the pattern's first instruction.
 *
 * @param scope of the pattern's first instruction
 */
record Release(HappenedBefore knowledge, Scope scope) {}
