/**
 * Runs the control flow of a kernel on the CPU, for tests: two lanes of each warp, in a random order, with barriers,
 * tile schedulers and the bytes that TMA loads announce. Knows no matrix: what wgmma and the epilogue compute is left
 * out.
 */
@NullMarked
package dev.tilewright.gemm.machine;

import org.jspecify.annotations.NullMarked;
