package dev.tilewright.emulator.order;

import dev.tilewright.ptx.type.Scope;

/**
 * A release that a relaxed read observed. An acquiring fence behind the read acquires it.
 *
 * @param needed the narrowest scope that the fence must have
 */
record Observation(HappenedBefore knowledge, Scope needed) {}
