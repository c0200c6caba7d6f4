/**
 * The table of instructions.
 *
 * <p>In: lines of it, right and wrong. Out: nothing. Must not know: texts of kernels.
 */
@NullMarked
package dev.tilewright.ptx.form;

import org.jspecify.annotations.NullMarked;
