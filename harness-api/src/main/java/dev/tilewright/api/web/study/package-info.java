/**
 * Pages of one study: its leaderboard, its charts, what each parameter does, and its tile schedulers beside each other.
 * Comes in: the trials of a study, read by few queries. Goes out: pages and the data of their charts. Must not know how
 * trials come to be.
 */
@NullMarked
package dev.tilewright.api.web.study;

import org.jspecify.annotations.NullMarked;
