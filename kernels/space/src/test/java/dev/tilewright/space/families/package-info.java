@NullMarked
package dev.tilewright.space.families;

import org.jspecify.annotations.NullMarked;
