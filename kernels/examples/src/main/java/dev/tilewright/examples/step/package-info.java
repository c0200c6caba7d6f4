/**
 * The words that all steps of the ladder share: arguments, numbering of tiles, matrix descriptors, and the launch.
 *
 * <p>Comes in: a problem shape. Goes out: what a kernel is launched with, and code that no step is about. Must not
 * know: any step.
 */
@NullMarked
package dev.tilewright.examples.step;

import org.jspecify.annotations.NullMarked;
