package dev.tilewright.worker.link.client;

import java.io.IOException;

/** The service shows a certificate that is not believed, which no repetition cures. */
public final class UntrustedException extends IOException {

    private static final long serialVersionUID = 1;

    UntrustedException(String message, Throwable cause) {
        super(message, cause);
    }
}
