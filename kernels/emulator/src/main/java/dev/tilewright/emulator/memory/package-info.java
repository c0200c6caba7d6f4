/**
 * Global and shared memory, with what the machine knows about each byte.
 *
 * <p>Comes in: accesses with their address. Goes out: bytes, or a hazard. Must not know: instructions.
 */
@NullMarked
package dev.tilewright.emulator.memory;

import org.jspecify.annotations.NullMarked;
