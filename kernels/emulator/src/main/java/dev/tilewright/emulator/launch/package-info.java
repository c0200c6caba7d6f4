/**
 * Which clusters of a grid run, when, and who takes over their work: cluster launch control.
 *
 * <p>Comes in: the order of launch, free SMs, requests. Goes out: clusters to launch, answers. Must not know: PTX text.
 */
@NullMarked
package dev.tilewright.emulator.launch;

import org.jspecify.annotations.NullMarked;
