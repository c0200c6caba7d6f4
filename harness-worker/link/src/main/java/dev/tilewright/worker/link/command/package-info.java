/**
 * What the command lines of all programs have in common: how values are read, secrets found, failures told.
 *
 * <p>Comes in: what was typed. Goes out: values, or a failure with its exit code. Must not know: verbs.
 */
@NullMarked
package dev.tilewright.worker.link.command;

import org.jspecify.annotations.NullMarked;
