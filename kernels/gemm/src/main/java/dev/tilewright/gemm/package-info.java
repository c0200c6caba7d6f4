/**
 * Kernel families, what they build, and what a traced run of a kernel says.
 *
 * <p>Comes in: a config, a problem, the limits of a device. Goes out: a kernel as PTX, its launch as data, scheduler
 * evidence from the bytes of a trace. Must not know: CUDA, SQL, HTTP, clocks.
 */
@NullMarked
package dev.tilewright.gemm;

import org.jspecify.annotations.NullMarked;
