/**
 * Where a trial runs: the port {@link dev.tilewright.worker.agent.device.Device} and its kinds, which are never mixed.
 *
 * <p>Comes in: assembled kernels. Goes out: outcomes, measurements and evidence, and the testbed they belong to. Must
 * not know: leases, REST.
 */
@NullMarked
package dev.tilewright.worker.agent.device;

import org.jspecify.annotations.NullMarked;
