/**
 * Trials and their measurements: the queue and the evidence. Comes in: configs the search asks, reports of workers.
 * Goes out: trials as resources, history for the search. Sole owner of the state of a trial; must not know leases or
 * HTTP between machines.
 */
@NullMarked
package dev.tilewright.api.trial;

import org.jspecify.annotations.NullMarked;
