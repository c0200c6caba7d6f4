/**
 * Writes launches as the descriptions that the reader reads.
 *
 * <p>Comes in: records of a launch. Goes out: YAML or JSON. Must not know: files, families, who launches it.
 */
@NullMarked
package dev.tilewright.launch.writer;

import org.jspecify.annotations.NullMarked;
