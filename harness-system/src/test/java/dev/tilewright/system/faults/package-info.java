/**
 * A whole installation, started by the launcher, whose processes are killed and stopped, whose disk is full and whose
 * clock is set. In: the launcher's path. Out: figures of what that costs. Knows processes, the REST API and the views
 * of the database; nothing of the classes behind them.
 */
@NullMarked
package dev.tilewright.system.faults;

import org.jspecify.annotations.NullMarked;
