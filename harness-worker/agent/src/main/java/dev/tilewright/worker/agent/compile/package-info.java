/**
 * From PTX text to cubin, in processes that see no GPU, under limits of time and memory.
 *
 * <p>Comes in: PTX text and a target. Goes out: a cubin with what the assembler said of it, or why there is none. Must
 * not know: configs, leases, GPUs.
 */
@NullMarked
package dev.tilewright.worker.agent.compile;

import org.jspecify.annotations.NullMarked;
