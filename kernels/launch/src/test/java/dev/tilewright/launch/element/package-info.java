@NullMarked
package dev.tilewright.launch.element;

import org.jspecify.annotations.NullMarked;
