/**
 * Traces as OpenTelemetry has them, from a job to its kernels; off unless there is a collector. Comes in: events of
 * jobs, and what Postgres has of them. Goes out: spans over OTLP. Nobody calls it, and no work waits for it. Must not
 * change what it reads, and must not know a parameter of a family.
 */
@NullMarked
package dev.tilewright.api.tracing;

import org.jspecify.annotations.NullMarked;
