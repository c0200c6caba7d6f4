/**
 * The database as a file, and back. Comes in: a connection to the embedded Postgres or another one, a file. Goes out: a
 * zip with a table an entry, or a database with the schema that the file has. Needs no program of Postgres, because the
 * embedded one has none of them. Must not know what the tables mean.
 */
@NullMarked
package dev.tilewright.api.platform.database.backup;

import org.jspecify.annotations.NullMarked;
