@NullMarked
package dev.tilewright.launch.expression;

import org.jspecify.annotations.NullMarked;
