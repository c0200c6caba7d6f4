@NullMarked
package dev.tilewright.space.vendor;

import org.jspecify.annotations.NullMarked;
