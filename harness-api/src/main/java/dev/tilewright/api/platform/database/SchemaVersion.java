package dev.tilewright.api.platform.database;

/** The version of the database schema of this service, once the service is up. */
public interface SchemaVersion {

    /** The number of the newest migration that has run. */
    String current();
}
