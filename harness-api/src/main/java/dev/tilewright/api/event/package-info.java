/**
 * Progress of jobs: events with growing ids in Postgres, streamed to whoever listens. Comes in: what the features say
 * happened, in their own transactions. Goes out: server-sent events. Must not know what the events mean, but which is
 * the last.
 */
@NullMarked
package dev.tilewright.api.event;

import org.jspecify.annotations.NullMarked;
