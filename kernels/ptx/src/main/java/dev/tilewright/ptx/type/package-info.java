/**
 * The nouns of PTX: scalar types, typed registers, immediates, addresses by state space, labels, targets, qualifiers.
 *
 * <p>In: nothing. Out: operands for {@link dev.tilewright.ptx.instruction}. Must not know: instructions, modules, text.
 */
@NullMarked
package dev.tilewright.ptx.type;

import org.jspecify.annotations.NullMarked;
