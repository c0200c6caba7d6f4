/**
 * The operands of a multiplication as a CTA holds them: what a stage has of each, how it lies, and what one CTA loads.
 * Comes in: the type and layout of an input, the extents of a tile, and how many CTAs share it. Goes out: bytes, panels
 * and boxes, from which stages, loads, tensor maps and announced bytes follow alike. Must not know: PTX, and which
 * family asks.
 */
@NullMarked
package dev.tilewright.space.operand;

import org.jspecify.annotations.NullMarked;
