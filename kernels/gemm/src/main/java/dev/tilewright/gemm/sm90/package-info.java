/**
 * The Hopper family {@code sm90-gemm}.
 *
 * <p>Comes in: a config. Goes out: the kernel and its launch. Must not know: CUDA; how well a config does.
 */
@NullMarked
package dev.tilewright.gemm.sm90;

import org.jspecify.annotations.NullMarked;
