/** Instructions against plain Java. */
@NullMarked
package dev.tilewright.emulator.execute;

import org.jspecify.annotations.NullMarked;
