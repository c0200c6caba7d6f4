/**
 * The order of the trials of a study, the trials that cannot be told apart, and the worth of their tile schedulers.
 * Terminal, pages and REST all use this package.
 *
 * <p>Comes in: a study, its trials with their times, the words of its family. Goes out: an order, groups, lines of
 * text. Must not know: where trials are kept, nor how a table looks.
 */
@NullMarked
package dev.tilewright.space.ranking;

import org.jspecify.annotations.NullMarked;
