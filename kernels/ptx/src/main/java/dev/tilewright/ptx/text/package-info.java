/**
 * PTX text.
 *
 * <p>In: {@link dev.tilewright.ptx.PtxModule}. Out: text that an assembler takes; the same module gives the same text,
 * byte for byte. Must not know: what a kernel computes, assemblers, files.
 */
@NullMarked
package dev.tilewright.ptx.text;

import org.jspecify.annotations.NullMarked;
