@NullMarked
package dev.tilewright.space.sm100;

import org.jspecify.annotations.NullMarked;
