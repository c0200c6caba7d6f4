/**
 * Work between the service and its workers: leases with fences, reports, expiry, and what follows from them for a
 * study. Comes in: requests and reports of workers. Goes out: leases. Must not know jobs as resources, nor how work is
 * done.
 */
@NullMarked
package dev.tilewright.api.lease;

import org.jspecify.annotations.NullMarked;
