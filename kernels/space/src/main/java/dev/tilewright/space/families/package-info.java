/**
 * All kernel families by name, and the build that their kernels come from.
 *
 * <p>Comes in: a name. Goes out: a family. Must not know: parameters of one family.
 */
@NullMarked
package dev.tilewright.space.families;

import org.jspecify.annotations.NullMarked;
