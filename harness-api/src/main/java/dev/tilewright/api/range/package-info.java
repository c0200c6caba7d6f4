/**
 * Ranges of M: one problem for any number of rows, tuned by studies at some M, phase by phase, to a table of few
 * kernels. Comes in: the ranges of new jobs, and what their studies measured. Goes out: further studies, and the table
 * with its regret. Must not know requests or leases.
 */
@NullMarked
package dev.tilewright.api.range;

import org.jspecify.annotations.NullMarked;
