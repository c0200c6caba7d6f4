package dev.tilewright.api.token;

import dev.tilewright.api.platform.access.Role;
import java.time.Instant;
import java.util.List;

/**
 * A token without its secret.
 *
 * @param createdBy name of the token that made it
 */
record TokenDocument(String name, Role role, String createdBy, Instant createdAt) {

    /** All tokens, by name. */
    record TokenList(List<TokenDocument> items) {}

    /**
     * A token that was just made.
     *
     * @param token the secret, which is told this once
     */
    record CreatedToken(String name, Role role, Instant createdAt, String token) {}
}
