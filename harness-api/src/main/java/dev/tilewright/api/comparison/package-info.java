/**
 * Comparisons of two kernels on one GPU. Comes in: requests, checked in full before anything is queued. Goes out:
 * verdicts with their blocks. Must not know how a GPU is found for them.
 */
@NullMarked
package dev.tilewright.api.comparison;

import org.jspecify.annotations.NullMarked;
