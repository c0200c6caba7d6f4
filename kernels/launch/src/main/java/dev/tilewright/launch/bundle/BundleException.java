package dev.tilewright.launch.bundle;

/** A bundle is refused; the message names file, value and rule. */
public final class BundleException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public BundleException(String message) {
        super(message);
    }

    BundleException(String message, Throwable cause) {
        super(message, cause);
    }
}
