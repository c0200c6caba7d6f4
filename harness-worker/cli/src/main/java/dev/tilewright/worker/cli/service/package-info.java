/**
 * The service on this machine as its clients see it: finding, starting, sharing and ending it.
 *
 * <p>Comes in: the home directory and the launcher. Goes out: the address of a healthy service. Must not know: jobs.
 */
@NullMarked
package dev.tilewright.worker.cli.service;

import org.jspecify.annotations.NullMarked;
