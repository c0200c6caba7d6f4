/**
 * A functional GPU on the CPU: runs a kernel given as records, and proves it right or says where it is wrong.
 *
 * <p>Comes in: a module, a launch, a seed. Goes out: a verdict - completed, with the memory it left, or a hazard with
 * its evidence. Must not know: kernel families, CUDA, time.
 */
@NullMarked
package dev.tilewright.emulator;

import org.jspecify.annotations.NullMarked;
