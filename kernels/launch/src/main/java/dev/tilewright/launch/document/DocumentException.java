package dev.tilewright.launch.document;

/** A document does not say what it should; the message begins with the position. */
public final class DocumentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DocumentException(String message) {
        super(message);
    }
}
