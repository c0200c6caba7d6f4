/**
 * Requests and reports of workers, and what follows from them for a study or a task: which work a device may take, what
 * a report changes, what waits for a device that nobody has. Comes in: requests of workers. Goes out: leases of the
 * queue. Must not know jobs as resources, nor how work is done.
 */
@NullMarked
package dev.tilewright.api.lease;

import org.jspecify.annotations.NullMarked;
