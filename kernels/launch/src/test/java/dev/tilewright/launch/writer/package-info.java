/** Tests of the writer: what it writes is read back as the same launch. */
@NullMarked
package dev.tilewright.launch.writer;

import org.jspecify.annotations.NullMarked;
