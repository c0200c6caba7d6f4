/**
 * The children of the worker: one owns a device, one assembles. The only room with CUDA.
 *
 * <p>Comes in: messages on standard input. Goes out: messages on standard output. Must not know: leases, the service,
 * the command line.
 */
@NullMarked
package dev.tilewright.worker.gpu;

import org.jspecify.annotations.NullMarked;
