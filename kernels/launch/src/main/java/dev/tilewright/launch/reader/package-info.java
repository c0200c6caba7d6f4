/**
 * Reads launch descriptions and the data files that they name.
 *
 * <p>Comes in: a file. Goes out: a {@link dev.tilewright.launch.LaunchDescription}, or an error that names position,
 * key, value and rule. Must not know: PTX, the emulator's machine.
 */
@NullMarked
package dev.tilewright.launch.reader;

import org.jspecify.annotations.NullMarked;
