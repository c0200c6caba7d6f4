package dev.tilewright.worker.link.client;

import java.io.IOException;

/** Nobody was there to ask: the connection was refused or came to nothing, or nobody knows the host. */
public final class NotReachedException extends IOException {

    private static final long serialVersionUID = 1;

    NotReachedException(String message, Throwable cause) {
        super(message, cause);
    }
}
