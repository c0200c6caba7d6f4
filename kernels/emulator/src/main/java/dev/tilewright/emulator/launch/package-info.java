/**
 * Cluster launch control: decides when the clusters of a grid run, and which cluster takes over their work.
 *
 * <p>Comes in: the order of launch, free SMs, requests. Goes out: clusters to launch, answers. Must not know: PTX text.
 */
@NullMarked
package dev.tilewright.emulator.launch;

import org.jspecify.annotations.NullMarked;
