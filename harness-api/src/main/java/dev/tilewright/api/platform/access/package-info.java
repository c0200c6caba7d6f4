/**
 * Access: tokens of users and workers, their roles, and the rule for each path. Comes in: raw requests. Goes out:
 * refusals, or requests that know their {@link Caller}. Must not know any feature; where tokens are kept is told by
 * {@link KnownTokens}.
 */
@NullMarked
package dev.tilewright.api.platform.access;

import org.jspecify.annotations.NullMarked;
