/**
 * The main path of a worker: lease, config, module, text, cubin, device, report.
 *
 * <p>Comes in: leases. Goes out: reports. Must not know: how leases are fetched and reports are sent, or which device
 * it is.
 */
@NullMarked
package dev.tilewright.worker.agent.trial;

import org.jspecify.annotations.NullMarked;
