@NullMarked
package dev.tilewright.space.sm90;

import org.jspecify.annotations.NullMarked;
