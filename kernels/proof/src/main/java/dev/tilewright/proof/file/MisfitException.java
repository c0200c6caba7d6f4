package dev.tilewright.proof.file;

/** A launch description does not fit the kernel; the message names value and rule. */
public final class MisfitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MisfitException(String message) {
        super(message);
    }

    MisfitException(String message, Throwable cause) {
        super(message, cause);
    }
}
