/**
 * Gates: two kernels of one problem beside each other, and whether the new one is slower than may be.
 *
 * <p>Comes in: blocks of paired durations. Goes out: verdicts. Must not know: HTTP, SQL, GPUs, how blocks are run.
 */
@NullMarked
package dev.tilewright.gate;

import org.jspecify.annotations.NullMarked;
