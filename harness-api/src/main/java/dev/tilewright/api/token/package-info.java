/**
 * Tokens by role: made, listed, revoked. Comes in: names and roles. Goes out: a token, once; its hash is kept. Must not
 * know what a role may, which is told by {@link dev.tilewright.api.platform.access.AllowedRoles}.
 */
@NullMarked
package dev.tilewright.api.token;

import org.jspecify.annotations.NullMarked;
