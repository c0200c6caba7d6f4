/**
 * The one way in which this module reads and writes JSON. Comes in: records, or texts. Goes out: the other of them.
 * Must not know: what is written.
 */
@NullMarked
package dev.tilewright.worker.link.json;

import org.jspecify.annotations.NullMarked;
