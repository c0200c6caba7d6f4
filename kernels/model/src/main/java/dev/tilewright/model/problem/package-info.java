/**
 * The problem to compute: D[M,N] = A[M,K] · B[N,K]ᵀ, its element types, its layouts and the state of the GPU beside it.
 * Suggestions for misspelt names are here too.
 *
 * <p>Comes in: numbers and names. Goes out: records that refuse what is no problem. Must not know: kernels, GPUs, how
 * it is computed.
 */
@NullMarked
package dev.tilewright.model.problem;

import org.jspecify.annotations.NullMarked;
