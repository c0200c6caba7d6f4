/** Tests of configs in short. */
@NullMarked
package dev.tilewright.space.text;

import org.jspecify.annotations.NullMarked;
