/**
 * The tensor cores of Blackwell: tensor memory, its allocation, and what multiplies and copies in it, asynchronously.
 *
 * <p>Comes in: decoded tcgen05 instructions. Goes out: their effects, late, and hazards where no order, no owner or no
 * value stands behind an access. Must not know: PTX text. The model in words is docs/emulator/blackwell.md.
 */
@NullMarked
package dev.tilewright.emulator.tcgen05;

import org.jspecify.annotations.NullMarked;
