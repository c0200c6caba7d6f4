/**
 * Predicts, on a CPU, how long a persistent GEMM takes on a GPU and which SM computes which tile: a discrete-event
 * model of tiles on SMs.
 *
 * <p>Comes in: a problem, a config under the parameter names of the design, the constants of a GPU and a seed. Goes
 * out: a predicted time, the clock that goes with it, the evidence of the tile scheduler and one span for each tile.
 * Must not know: how a kernel is built, CUDA, measurements of single shapes. What comes out is a prediction and is
 * never to be shown as a measurement.
 */
@NullMarked
package dev.tilewright.simulator;

import org.jspecify.annotations.NullMarked;
