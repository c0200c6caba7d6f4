package dev.tilewright.api.platform.database;

import java.io.IOException;

/** A disk has no room for a copy. */
final class NoRoomException extends IOException {

    private static final long serialVersionUID = 1;

    NoRoomException(String message) {
        super(message);
    }
}
