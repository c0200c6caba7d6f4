/**
 * The verb that lends devices to a service.
 *
 * <p>Comes in: the command line. Goes out: a loop that takes leases until it is told to stop. Must not know: how a
 * device is driven.
 */
@NullMarked
package dev.tilewright.worker.agent;

import org.jspecify.annotations.NullMarked;
