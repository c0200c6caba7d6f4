package dev.tilewright.api.platform.database;

/** Which schema the database of this service has, once it is up. */
public interface SchemaVersion {

    /** The number of the newest migration that has run. */
    String current();
}
