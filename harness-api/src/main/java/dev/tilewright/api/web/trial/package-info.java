/**
 * Pages of one trial: config in words, kernel, resources, samples, and who computed what and when. Comes in: a trial
 * and its evidence. Goes out: a page and drawings. Must not know the other trials of its study, but for its twins.
 */
@NullMarked
package dev.tilewright.api.web.trial;

import org.jspecify.annotations.NullMarked;
