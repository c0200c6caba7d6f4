/**
 * The table of instructions that the writer and the parser both read: mnemonic, modifiers and operands of a record in
 * one line. {@link dev.tilewright.ptx.form.Operands} visits the operands of an instruction by the same line.
 *
 * <p>In: records of {@code instruction}. Out: a {@link dev.tilewright.ptx.form.Form} for each that a line can say; the
 * others are spelled by their families in {@code text} and {@code parse}, and those whose operands no line can say are
 * {@link dev.tilewright.ptx.instruction.Irregular}. Must not know: texts, registers of a kernel.
 */
@NullMarked
package dev.tilewright.ptx.form;

import org.jspecify.annotations.NullMarked;
