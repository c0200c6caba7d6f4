@NullMarked
package dev.tilewright.gate.statistics;

import org.jspecify.annotations.NullMarked;
