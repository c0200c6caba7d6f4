/**
 * Refuses at build time what an assembler reports late or not at all.
 *
 * <p>In: {@link dev.tilewright.ptx.PtxModule}. Out: all {@link dev.tilewright.ptx.validate.Diagnostic}s at once; none
 * means that no rule is broken, not that the kernel is right. Must not know: text, GEMM, CUDA.
 */
@NullMarked
package dev.tilewright.ptx.validate;

import org.jspecify.annotations.NullMarked;
