/**
 * The common part of all command lines: how values are read, secrets found, failures told.
 *
 * <p>Comes in: what was typed. Goes out: values, or a failure with its exit code. Must not know: verbs.
 */
@NullMarked
package dev.tilewright.worker.link.command;

import org.jspecify.annotations.NullMarked;
