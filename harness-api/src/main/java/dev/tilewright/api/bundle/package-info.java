/**
 * Bundles that users bring: kernels of their own, which are tuned as a family.
 *
 * <p>Comes in: zips from users. Goes out: what there is, the zips for workers, and a search space for each. Must not
 * know: what is in a kernel.
 */
@NullMarked
package dev.tilewright.api.bundle;

import org.jspecify.annotations.NullMarked;
