@NullMarked
package dev.tilewright.space.device;

import org.jspecify.annotations.NullMarked;
