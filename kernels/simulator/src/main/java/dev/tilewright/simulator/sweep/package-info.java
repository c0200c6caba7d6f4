/**
 * Measured sweeps as they are stored with the source: what the constants of the model are fitted to, and what search
 * strategies are replayed on.
 *
 * <p>Comes in: the rows of studies, or a stored file. Goes out: a file of one shape, or its rows. Must not know: how a
 * trial is run, JSON, the model itself.
 */
@NullMarked
package dev.tilewright.simulator.sweep;

import org.jspecify.annotations.NullMarked;
