/**
 * Counts over a kernel.
 *
 * <p>In: {@link dev.tilewright.ptx.Entry}. Out: {@link dev.tilewright.ptx.analysis.ResourceUsage}. Must not know: text,
 * what an assembler makes of virtual registers.
 */
@NullMarked
package dev.tilewright.ptx.analysis;

import org.jspecify.annotations.NullMarked;
