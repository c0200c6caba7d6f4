/**
 * The operation of each instruction: one class for each family decodes it.
 *
 * <p>Comes in: instruction records. Goes out: operations on a strand of lanes. Must not know: who runs next.
 */
@NullMarked
package dev.tilewright.emulator.execute;

import org.jspecify.annotations.NullMarked;
