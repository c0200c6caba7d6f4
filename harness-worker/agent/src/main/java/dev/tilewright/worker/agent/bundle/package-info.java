/**
 * The bundles that leases name, on the side of a worker.
 *
 * <p>Comes in: the name of a bundle and its version. Goes out: its search space and its kernels. Must not know: leases,
 * devices.
 */
@NullMarked
package dev.tilewright.worker.agent.bundle;

import org.jspecify.annotations.NullMarked;
