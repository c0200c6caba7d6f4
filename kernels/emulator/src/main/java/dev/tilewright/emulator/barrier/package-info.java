/**
 * Barriers as state machines.
 *
 * <p>Comes in: arrivals and bytes. Goes out: phases. Must not know: who waits, beyond waking them.
 */
@NullMarked
package dev.tilewright.emulator.barrier;

import org.jspecify.annotations.NullMarked;
