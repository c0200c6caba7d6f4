package dev.tilewright.api.token;

import dev.tilewright.api.platform.access.Role;

/**
 * A token that is asked for.
 *
 * @param name under which it is listed and revoked, and owns jobs
 * @param role what its holder may do
 */
record TokenRequest(String name, Role role) {}
