@NullMarked
package dev.tilewright.gate.decision;

import org.jspecify.annotations.NullMarked;
