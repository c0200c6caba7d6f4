/**
 * The order of the trials of a study, which of them cannot be told apart, and what their tile schedulers are worth: the
 * one place that says it, for terminal, pages and REST alike.
 *
 * <p>Comes in: a study, its trials with their times, the words of its family. Goes out: an order, groups, lines of
 * text. Must not know: where trials are kept, nor how a table looks.
 */
@NullMarked
package dev.tilewright.space.ranking;

import org.jspecify.annotations.NullMarked;
