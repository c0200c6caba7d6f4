/**
 * The verbs {@code backup} and {@code restore}: all that a service keeps as one file, and a home from such a file.
 * Comes in: the environment of a service, a file. Goes out: a file, or a home or database that a service can be started
 * on. Must not know of requests.
 */
@NullMarked
package dev.tilewright.api.platform.backup;

import org.jspecify.annotations.NullMarked;
