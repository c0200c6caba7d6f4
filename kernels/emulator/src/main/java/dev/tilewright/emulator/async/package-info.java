/**
 * Asynchronous work: copies and matrix products that are issued and not yet complete.
 *
 * <p>Comes in: issued operations. Goes out: their effects, late and in any legal order. Must not know: PTX.
 */
@NullMarked
package dev.tilewright.emulator.async;

import org.jspecify.annotations.NullMarked;
