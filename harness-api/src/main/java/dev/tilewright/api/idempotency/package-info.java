/**
 * Requests that are safe to repeat. Comes in: a key and what it is sent with. Goes out: what the first request with it
 * made. Must not know what that is.
 */
@NullMarked
package dev.tilewright.api.idempotency;

import org.jspecify.annotations.NullMarked;
