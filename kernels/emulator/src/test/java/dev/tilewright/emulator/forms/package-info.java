/** Every form of instruction that the manual of PTX 9.0 has: executed, or named as unsupported. */
@NullMarked
package dev.tilewright.emulator.forms;

import org.jspecify.annotations.NullMarked;
