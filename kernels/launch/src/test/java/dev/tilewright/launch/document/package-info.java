@NullMarked
package dev.tilewright.launch.document;

import org.jspecify.annotations.NullMarked;
