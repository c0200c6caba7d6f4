@NullMarked
package dev.tilewright.launch.bundle;

import org.jspecify.annotations.NullMarked;
