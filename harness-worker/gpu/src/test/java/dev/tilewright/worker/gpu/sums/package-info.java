/**
 * The experiment that shows how the tensor core of sm_90 adds up, its recorded answers, and the emulator beside them.
 */
@NullMarked
package dev.tilewright.worker.gpu.sums;

import org.jspecify.annotations.NullMarked;
