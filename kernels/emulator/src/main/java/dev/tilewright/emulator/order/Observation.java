package dev.tilewright.emulator.order;

import dev.tilewright.ptx.type.Scope;

/**
 * What a relaxed read saw of a release; an acquiring fence behind it takes it over.
 *
 * @param needed the narrowest scope that the fence must have
 */
record Observation(HappenedBefore knowledge, Scope needed) {}
