package dev.tilewright.api.platform.access;

import java.security.Principal;

/**
 * Who sent a request.
 *
 * @param name of the token; one in parentheses is none that can be made
 */
public record Caller(String name, Role role) implements Principal {

    /** Whoever asks a service that asks users for no token. */
    static final Caller ANYBODY = new Caller("(anybody)", Role.OPERATOR);

    /** Who shows the token that the service was started with. */
    static final Caller OPERATOR = new Caller("(operator)", Role.OPERATOR);

    /** Who shows the token of all workers. */
    static final Caller WORKERS = new Caller("(workers)", Role.WORKER);

    @Override
    public String getName() {
        return name;
    }
}
