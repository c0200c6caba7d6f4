/**
 * Rules, words and launch parameters that all GEMM families share.
 *
 * <p>Comes in: a config, a problem and the limits of a GPU. Goes out: rules, words. Must not know: the plans of one
 * family.
 */
@NullMarked
package dev.tilewright.space.gemm;

import org.jspecify.annotations.NullMarked;
