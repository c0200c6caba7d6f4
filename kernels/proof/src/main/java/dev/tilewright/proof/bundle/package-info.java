/**
 * Proves configs of a bundle on the emulator, at small shapes that its problem allows.
 *
 * <p>Comes in: a bundle. Goes out: a verdict for each config, with the lines of what was wrong. Must not know: options
 * of the command line, how a host program is run.
 */
@NullMarked
package dev.tilewright.proof.bundle;

import org.jspecify.annotations.NullMarked;
