/**
 * The happens-before order: agents, clocks, synchronisation, and the accesses that no order holds apart.
 *
 * <p>Comes in: accesses, arrivals, waits, fences with their orderings and scopes. Goes out: races, with both accesses
 * and what is missing between them. Must not know: instructions, values, who runs next. The model in words is
 * docs/emulator/README.md.
 */
@NullMarked
package dev.tilewright.emulator.order;

import org.jspecify.annotations.NullMarked;
