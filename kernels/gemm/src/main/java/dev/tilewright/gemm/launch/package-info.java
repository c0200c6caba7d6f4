/**
 * How a built kernel wants to be launched, as data: what a device needs to encode tensor maps, allocate buffers and
 * launch, with no CUDA in it.
 */
@NullMarked
package dev.tilewright.gemm.launch;

import org.jspecify.annotations.NullMarked;
