/**
 * The choice of the next config: pure, seeded functions of a search space and the history of a study.
 *
 * <p>Comes in: a space, the problem and the history of the study in stored order, how many configs are wanted; from the
 * simulator what a config is predicted to cost. Goes out: that many configs, or fewer when the space is used up. Must
 * not know: SQL, leases, workers, where the outcomes come from (a stored sweep replays a strategy as well as a running
 * study does). A strategy is found by its annotation, which is all that it has of Spring.
 */
@NullMarked
package dev.tilewright.api.search;

import org.jspecify.annotations.NullMarked;
