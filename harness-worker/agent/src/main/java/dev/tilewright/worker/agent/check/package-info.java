/**
 * The check before a device: the text of a kernel is proved on the emulator before it may run, once for each text.
 *
 * <p>Comes in: kernels that are ready to run. Goes out: whether they may. Proofs are made by emulated devices, ahead of
 * the device that waits, and kept in a store that all workers share. Must not know: REST, leases, how a proof is made.
 */
@NullMarked
package dev.tilewright.worker.agent.check;

import org.jspecify.annotations.NullMarked;
