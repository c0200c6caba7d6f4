/**
 * Where the database comes from: an external Postgres or our own, started, supervised and stopped here. Goes out:
 * connection details for the pool, and the mapping of JSON columns and instants. Must not know any table.
 */
@NullMarked
package dev.tilewright.api.platform.database;

import org.jspecify.annotations.NullMarked;
