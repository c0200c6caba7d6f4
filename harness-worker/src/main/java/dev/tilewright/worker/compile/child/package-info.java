/**
 * The assembler child: answers requests from standard input with the library it was started for.
 *
 * <p>Comes in: PTX text in frames. Goes out: cubins in frames. Must not know: limits and caches, which are its host's.
 */
@NullMarked
package dev.tilewright.worker.compile.child;

import org.jspecify.annotations.NullMarked;
