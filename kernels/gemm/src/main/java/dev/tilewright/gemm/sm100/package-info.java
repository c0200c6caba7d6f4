/**
 * The Blackwell family {@code sm100-gemm}.
 *
 * <p>Comes in: a config. Goes out: the kernel and its launch. Must not know: CUDA; how well a config does.
 */
@NullMarked
package dev.tilewright.gemm.sm100;

import org.jspecify.annotations.NullMarked;
