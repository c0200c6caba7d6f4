/**
 * Bundles as kernel families.
 *
 * <p>Comes in: a bundle. Goes out: its name, its search space, and for each config a kernel with its launch. Must not
 * know: where bundles are stored, what runs or proves them.
 */
@NullMarked
package dev.tilewright.bundle;

import org.jspecify.annotations.NullMarked;
