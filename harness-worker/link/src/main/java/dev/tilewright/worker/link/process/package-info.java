/**
 * Child processes: how one is started, spoken to, watched and killed with all its descendants.
 *
 * <p>Comes in: a command. Goes out: messages, exit statuses, the last lines of standard error. Must not know: what the
 * child does.
 */
@NullMarked
package dev.tilewright.worker.link.process;

import org.jspecify.annotations.NullMarked;
