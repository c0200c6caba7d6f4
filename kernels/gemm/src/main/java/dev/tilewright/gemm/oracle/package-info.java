/**
 * Oracles of a GEMM kernel: plain PTX kernels (ISA 8.0, no wgmma, no TMA) that fill, multiply, compare and poison, and
 * the same mathematics in plain Java with float64.
 *
 * <p>In: shapes, seeds. Out: {@link dev.tilewright.ptx.PtxModule}s with their launches and argument lists, and an
 * {@link dev.tilewright.gemm.oracle.ErrorBound}. Must not know: the kernels it verifies, CUDA, files.
 */
@NullMarked
package dev.tilewright.gemm.oracle;

import org.jspecify.annotations.NullMarked;
