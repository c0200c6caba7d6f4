/**
 * The faults of a kernel, as data.
 *
 * <p>Comes in: evidence from the machine. Goes out: findings that say what, where and who. Must not know: how the
 * machine works.
 */
@NullMarked
package dev.tilewright.emulator.hazard;

import org.jspecify.annotations.NullMarked;
