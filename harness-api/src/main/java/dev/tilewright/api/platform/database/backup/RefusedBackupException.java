package dev.tilewright.api.platform.database.backup;

/** A backup that cannot be made or restored; the message says which value breaks which rule. */
public final class RefusedBackupException extends Exception {

    private static final long serialVersionUID = 1;

    public RefusedBackupException(String message) {
        super(message);
    }

    public RefusedBackupException(String message, Throwable cause) {
        super(message, cause);
    }
}
