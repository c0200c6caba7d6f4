/**
 * Writes kernels out for use without Tilewright. Comes in: a kernel with its launch. Goes out: folders of files. Must
 * not know: options, the service.
 */
@NullMarked
package dev.tilewright.worker.cli.export;

import org.jspecify.annotations.NullMarked;
