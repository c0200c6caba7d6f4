/**
 * Packs: the kernels for the products of a recorded program, as one package for PyTorch.
 *
 * <p>Comes in: the plan of a recording, a source of kernels. Goes out: a folder with {@code pack.json}. Must not know:
 * how the source finds a kernel.
 */
@NullMarked
package dev.tilewright.worker.cli.apply;

import org.jspecify.annotations.NullMarked;
