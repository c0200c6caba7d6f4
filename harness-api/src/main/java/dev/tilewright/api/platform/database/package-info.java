/**
 * Where the database comes from: an external Postgres or our own, started, supervised and stopped here. Comes in: its
 * address, or the folder of ours. Goes out: pools of connections with their limits of time, what of these a failure has
 * run into, and the mapping of JSON columns and instants. Must not know any table.
 */
@NullMarked
package dev.tilewright.api.platform.database;

import org.jspecify.annotations.NullMarked;
