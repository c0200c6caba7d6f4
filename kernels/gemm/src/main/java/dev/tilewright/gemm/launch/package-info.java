/**
 * The launch of a built kernel as data.
 *
 * <p>Comes in: what a family says of its kernel. Goes out: all that a device needs to encode tensor maps, to allocate
 * buffers and to launch. Must not know: CUDA, which family it is for.
 */
@NullMarked
package dev.tilewright.gemm.launch;

import org.jspecify.annotations.NullMarked;
