/**
 * Messages between an assembler in a child process and its host. The child sends {@code Ready} or {@code Unusable}
 * first, then one answer to each request, and exits when its standard input ends.
 *
 * <p>Comes in: PTX texts. Goes out: cubins, or the assembler's log. Must not know: who assembles, and for what.
 */
@NullMarked
package dev.tilewright.worker.link.assembler;

import org.jspecify.annotations.NullMarked;
