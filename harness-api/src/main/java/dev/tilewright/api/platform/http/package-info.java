/**
 * HTTP around the features: problem documents (RFC 9457) for every error, limits, and rules for strangers. Comes in:
 * exceptions and raw requests. Goes out: answers in one shape. Must not know any feature.
 */
@NullMarked
package dev.tilewright.api.platform.http;

import org.jspecify.annotations.NullMarked;
