@NullMarked
package dev.tilewright.launch.reader;

import org.jspecify.annotations.NullMarked;
