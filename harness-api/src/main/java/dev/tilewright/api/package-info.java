/**
 * The service: jobs, queue, search, results over REST, on Postgres. Comes in: jobs from users, reports from workers.
 * Goes out: leases, results, progress. Must not know how a kernel is built, compiled or run: of the kernel families it
 * sees their spaces.
 */
@NullMarked
package dev.tilewright.api;

import org.jspecify.annotations.NullMarked;
