/**
 * Writes programs that make a launch: C and Python, which need the CUDA driver alone.
 *
 * <p>Comes in: a launch and the text or cubin of its kernel. Goes out: source files. Must not know: families, problems
 * of the harness, where the files go.
 */
@NullMarked
package dev.tilewright.launch.program;

import org.jspecify.annotations.NullMarked;
