/** Tests of the spaces of the families. */
@NullMarked
package dev.tilewright.space.family;

import org.jspecify.annotations.NullMarked;
