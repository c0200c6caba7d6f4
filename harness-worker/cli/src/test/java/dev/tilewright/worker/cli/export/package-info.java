/** Tests of what is written for use without Tilewright. */
@NullMarked
package dev.tilewright.worker.cli.export;

import org.jspecify.annotations.NullMarked;
