/**
 * The REST client of the API.
 *
 * <p>Comes in: records to send. Goes out: records received, or the API's own words about what was wrong. Must not know:
 * what is done with them.
 */
@NullMarked
package dev.tilewright.worker.link.client;

import org.jspecify.annotations.NullMarked;
