/**
 * Kernels of others that run beside ours in a final.
 *
 * <p>Comes in: the name of a family and operands on the device. Goes out: arms, or why there are none. Must not know:
 * how arms are timed or judged, native libraries.
 */
@NullMarked
package dev.tilewright.worker.gpu.peer;

import org.jspecify.annotations.NullMarked;
