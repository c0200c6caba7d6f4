/** Tests of the names of rules. */
@NullMarked
package dev.tilewright.emulator.hazard;

import org.jspecify.annotations.NullMarked;
