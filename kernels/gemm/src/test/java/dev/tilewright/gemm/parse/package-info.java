/**
 * Texts of GEMM kernels read back.
 *
 * <p>In: kernels of the families. Out: nothing. Must not know: a GPU.
 */
@NullMarked
package dev.tilewright.gemm.parse;

import org.jspecify.annotations.NullMarked;
