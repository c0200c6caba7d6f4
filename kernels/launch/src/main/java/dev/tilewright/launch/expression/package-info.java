/**
 * Arithmetic over named whole numbers and words, for documents in which a number depends on a problem and a config.
 *
 * <p>Comes in: text, and what its names stand for. Goes out: a value, or an error that names text, column and value.
 * Must not know: documents, what the names mean.
 */
@NullMarked
package dev.tilewright.launch.expression;

import org.jspecify.annotations.NullMarked;
