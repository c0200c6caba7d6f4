package dev.tilewright.api.platform.database;

/**
 * The database has a schema that this program does not work with, or not without being told to; its message is one
 * line.
 */
public final class RefusedSchemaException extends RuntimeException {

    private static final long serialVersionUID = 1;

    RefusedSchemaException(String message) {
        super(message);
    }
}
