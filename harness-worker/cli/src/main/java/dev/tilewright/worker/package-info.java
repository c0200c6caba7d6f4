/**
 * The command line and the process of a worker: {@code Main} and its wiring, nothing else.
 *
 * <p>Comes in: arguments. Goes out: an exit code. Must not know: SQL, Spring, CUDA.
 */
@NullMarked
package dev.tilewright.worker;

import org.jspecify.annotations.NullMarked;
