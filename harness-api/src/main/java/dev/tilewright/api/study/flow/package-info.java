/**
 * The life of a study: how it begins on a device, what the search asks for, its final and its end.
 *
 * <p>Comes in: that something of a study has moved. Goes out: trials in the queue, a final, an end. Whoever reports,
 * leases, or cancels never waits for it: a driver works on a snapshot, and holds the study only to write what came of
 * it. Must not know: how work is leased and reported.
 */
@NullMarked
package dev.tilewright.api.study.flow;

import org.jspecify.annotations.NullMarked;
