/**
 * Bundles: a user's kernels with the launches of a whole family of problems, in one folder or archive.
 *
 * <p>Comes in: files. Goes out: kernels, launches and rules for a problem and a config. Must not know: PTX beyond
 * names, search spaces, who runs a kernel, how a host program is run.
 */
@NullMarked
package dev.tilewright.launch.bundle;

import org.jspecify.annotations.NullMarked;
