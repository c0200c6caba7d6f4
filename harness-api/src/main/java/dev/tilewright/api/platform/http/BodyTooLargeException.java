package dev.tilewright.api.platform.http;

import java.io.IOException;

/** More bytes came than the path takes. */
final class BodyTooLargeException extends IOException {

    private static final long serialVersionUID = 1;

    private final long limitBytes;

    BodyTooLargeException(long limitBytes) {
        super("more than " + limitBytes + " bytes");
        this.limitBytes = limitBytes;
    }

    String detail() {
        return "the body must have at most " + limitBytes + " bytes";
    }
}
