/**
 * Every PTX instruction as an immutable record, one sealed interface per family.
 *
 * <p>In: operands of {@link dev.tilewright.ptx.type}. Out: statements that a writer, a validator, a parser and an
 * emulator read by exhaustive switches. Constructors refuse what the manual forbids, with the value in the message.
 * Section numbers are those of the PTX ISA 9.1 manual. Must not know: text, modules, kernels.
 */
@NullMarked
package dev.tilewright.ptx.instruction;

import org.jspecify.annotations.NullMarked;
