@NullMarked
package dev.tilewright.gate.trend;

import org.jspecify.annotations.NullMarked;
