/**
 * A few kernels that share a range of M, each for the rows where it is fastest, and how much a table of them loses.
 *
 * <p>Comes in: times of kernels at some M, measured or predicted. Goes out: which kernel takes which M. Must not know:
 * where the times come from.
 */
@NullMarked
package dev.tilewright.model.range;

import org.jspecify.annotations.NullMarked;
