/**
 * The search space: parameters, constraints with a reason, and the configs that are points of the space.
 *
 * <p>Comes in: names and values. Goes out: records, and a config as one text. Must not know: what a parameter means.
 */
@NullMarked
package dev.tilewright.model.space;

import org.jspecify.annotations.NullMarked;
