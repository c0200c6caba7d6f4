@NullMarked
package dev.tilewright.gate.qualification;

import org.jspecify.annotations.NullMarked;
