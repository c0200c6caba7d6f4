/**
 * What is to be computed: D[M,N] = A[M,K] · B[N,K]ᵀ, its element types, its layouts and the state of the GPU beside it.
 * Here too is what somebody may have meant who wrote it in other words.
 *
 * <p>Comes in: numbers and names. Goes out: records that refuse what is no problem. Must not know: kernels, GPUs, how
 * it is computed.
 */
@NullMarked
package dev.tilewright.model.problem;

import org.jspecify.annotations.NullMarked;
