/**
 * What is to be computed: D[M,N] = A[M,K] · B[N,K]ᵀ, its element types, its layouts and the state of the GPU beside it.
 * Here too is what somebody may have meant who wrote it in other words.
 */
@NullMarked
package dev.tilewright.model.problem;

import org.jspecify.annotations.NullMarked;
