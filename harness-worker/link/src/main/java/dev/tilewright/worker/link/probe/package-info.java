/**
 * The devices of this machine, and the meaning of a selector on it.
 *
 * <p>Comes in: a selector. Goes out: what is offered, or a failure. Must not know: how a driver is asked.
 */
@NullMarked
package dev.tilewright.worker.link.probe;

import org.jspecify.annotations.NullMarked;
