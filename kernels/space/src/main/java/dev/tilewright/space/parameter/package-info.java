/**
 * Parameters of kernels by type: names, values and the meaning of each value.
 *
 * <p>Comes in: a config. Goes out: values by type. Must not know: families and their rules.
 */
@NullMarked
package dev.tilewright.space.parameter;

import org.jspecify.annotations.NullMarked;
