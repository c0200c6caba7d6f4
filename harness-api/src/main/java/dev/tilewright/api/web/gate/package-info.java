/**
 * Pages of gates, their runs and cases. Comes in: documents of runs, blocks, waivers and trends. Goes out: the same in
 * words, and the data of charts. Must not know how a run is decided.
 */
@NullMarked
package dev.tilewright.api.web.gate;

import org.jspecify.annotations.NullMarked;
