/** What bits say as numbers. */
@NullMarked
package dev.tilewright.emulator.number;

import org.jspecify.annotations.NullMarked;
