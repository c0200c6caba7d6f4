/**
 * Leases: how work is fetched, kept alive and reported, while the API comes and goes.
 *
 * <p>Comes in: a client of the API, a path from lease to report for each device. Goes out: reports, and a file as old
 * as the last heartbeat that was answered. Must not know: kernels, CUDA.
 */
@NullMarked
package dev.tilewright.worker.agent.lease;

import org.jspecify.annotations.NullMarked;
