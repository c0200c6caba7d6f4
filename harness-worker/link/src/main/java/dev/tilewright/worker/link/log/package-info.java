/**
 * Logs that a program reads. Comes in: records, and what the work at hand is part of. Goes out: an object a line. Must
 * not know: what the work is.
 */
@NullMarked
package dev.tilewright.worker.link.log;

import org.jspecify.annotations.NullMarked;
