/**
 * The assembler child: answers requests from standard input with the library it was started for.
 *
 * <p>Comes in: PTX text in messages. Goes out: cubins in messages. Must not know: limits and caches, which are its
 * host's.
 */
@NullMarked
package dev.tilewright.worker.gpu.assembler;

import org.jspecify.annotations.NullMarked;
