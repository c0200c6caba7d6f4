/**
 * Retention: jobs that users delete, and rows that have reached the age that the operator set. Comes in: requests,
 * settings and the clock. Goes out: fewer rows. Must not touch what best configs, exports or stored gates need.
 */
@NullMarked
package dev.tilewright.api.retention;

import org.jspecify.annotations.NullMarked;
