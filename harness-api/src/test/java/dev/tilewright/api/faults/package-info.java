/**
 * A whole installation, started by the launcher, whose processes are killed. In: the launcher's path. Knows processes,
 * the REST API and the views of the database; nothing of the classes behind them.
 */
@NullMarked
package dev.tilewright.api.faults;

import org.jspecify.annotations.NullMarked;
