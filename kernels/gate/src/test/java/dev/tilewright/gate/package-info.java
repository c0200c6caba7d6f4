@NullMarked
package dev.tilewright.gate;

import org.jspecify.annotations.NullMarked;
