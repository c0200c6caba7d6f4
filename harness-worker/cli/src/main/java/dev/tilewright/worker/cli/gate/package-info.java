/**
 * {@code gate}: asks a service for a run of what {@code tilewright.yaml} names, follows it, writes its reports.
 *
 * <p>Comes in: the file, the caller's checkout, answers of the service. Goes out: requests, reports, an exit code. Must
 * not know: how a verdict is found. It alone runs the build commands of users, and only where it was called.
 */
@NullMarked
package dev.tilewright.worker.cli.gate;

import org.jspecify.annotations.NullMarked;
