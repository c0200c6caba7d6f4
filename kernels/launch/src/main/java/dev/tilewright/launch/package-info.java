/**
 * A launch of a kernel as its description says it: extents, parameters, buffers, what must come out.
 *
 * <p>Comes in: what the reader read. Goes out: records. Must not know: files, the emulator's machine, PTX.
 */
@NullMarked
package dev.tilewright.launch;

import org.jspecify.annotations.NullMarked;
