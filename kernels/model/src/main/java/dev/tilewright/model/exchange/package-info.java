/**
 * What the API, its workers and its users say to each other over REST: what a job asks for, registration, leases,
 * heartbeats and reports.
 */
@NullMarked
package dev.tilewright.model.exchange;

import org.jspecify.annotations.NullMarked;
