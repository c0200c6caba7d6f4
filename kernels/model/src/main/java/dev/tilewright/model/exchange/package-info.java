/**
 * The records that the API, its workers and its users exchange over REST. Users: what a job asks for, jobs, studies and
 * trials as they are answered, events and the result of a job, best configs, and the file of a running service.
 * Workers: registration, leases, heartbeats and reports. Comes in: what one side found. Goes out: the same records at
 * the other side. Must not know: how anything is stored or shown.
 */
@NullMarked
package dev.tilewright.model.exchange;

import org.jspecify.annotations.NullMarked;
